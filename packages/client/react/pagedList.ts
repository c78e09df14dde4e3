import type { Pages } from '@tattoo-marketplace/client';
import { errorDetails } from './errorMessages.ts';

/** The state of a list that is read page by page. */
export interface PagedListState<Item> {
  /** The items of the pages that were read, each once. */
  readonly items: readonly Item[];
  /** The number of items on all pages, if the API returns it. */
  readonly total?: number | undefined;
  readonly hasMore: boolean;
  /** The list has changed so that its next page is unknown. `loadMore` reads the first page again. */
  readonly isOutdated: boolean;
}

/** Changes the state of a list. */
export interface PagedListActions<Item> {
  /** Reads the next page. Rejects with a `MarketplaceError`; call it again to retry. */
  readonly loadMore: () => Promise<void>;
  /** Updates the items after a change. */
  readonly setItems: (change: (items: readonly Item[]) => readonly Item[]) => void;
}

/** A page whose items are in this field. */
export type ListPage<Field extends string, Item> = Record<Field, readonly Item[]> & {
  hasMore: boolean;
  nextCursor?: string | undefined;
  total?: number;
};

/**
 * Reads the first page of a list, or all pages. `openPages` starts at the first page. All components of a screen share the
 * result.
 */
export async function openPagedList<Field extends string, Item extends { readonly id: string }>(
  openPages: () => Pages<ListPage<Field, Item>>,
  field: Field,
  { all }: { all: boolean },
) {
  const listeners = new Set<() => void>();
  let listPages = openPages();
  let state: PagedListState<Item> = { items: [], hasMore: true, isOutdated: false };

  function update(change: Partial<PagedListState<Item>>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  async function loadMore(): Promise<void> {
    try {
      // Not `for await`: the JavaScript engine of React Native may lack `Symbol.asyncIterator`.
      const { value: page } = await listPages.next();
      if (page === undefined) return;
      const { hasMore, total } = page;
      const items = addItems(state.isOutdated ? [] : state.items, page[field]);
      update({ items, hasMore, total, isOutdated: false });
    } catch (error) {
      if (errorDetails(error).code === 'cursor-not-found') {
        listPages = openPages();
        update({ isOutdated: true });
      }
      throw error;
    }
  }

  do await loadMore();
  while (all && state.hasMore);

  const actions: PagedListActions<Item> = {
    loadMore,
    setItems: (change) => {
      const items = change(state.items);
      const removed = state.items.length - items.length;
      const total = state.total === undefined ? undefined : state.total - removed;
      update({ items, total });
    },
  };
  /** Calls the listener after each change, until the returned function is called. */
  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
  return { getState: () => state, subscribe, actions };
}

/** Adds the items of a page. Pages of different age may repeat an item. */
function addItems<Item extends { readonly id: string }>(
  items: readonly Item[],
  added: readonly Item[],
): readonly Item[] {
  return [...new Map([...items, ...added].map((item) => [item.id, item])).values()];
}
