import { use, useState } from 'react';
import { pages, type CallOptions } from '@tattoo-marketplace/client';
import { errorDetails } from './errorMessages.ts';
import { useMarketplace } from './MarketplaceContext.ts';

/** A list that is read page by page. */
export interface PagedList<Item> {
  /** The items of the pages that were read, each once. */
  readonly items: readonly Item[];
  /** The number of items on all pages, if the API returns it. */
  readonly total?: number | undefined;
  readonly hasMore: boolean;
  /** The list has changed so that its next page is unknown. `loadMore` reads the first page again. */
  readonly isOutdated: boolean;
  /** Reads the next page. Rejects with a `MarketplaceError`; call it again to retry. */
  readonly loadMore: () => Promise<void>;
  /** Updates the items after a change. */
  readonly setItems: (change: (items: readonly Item[]) => readonly Item[]) => void;
}

/**
 * Reads the first page of a list, or all pages. Until then the component suspends. For another `input`, give the
 * component another `key`.
 */
export function usePagedList<
  Input extends { cursor?: string | undefined },
  Page extends { hasMore: boolean; nextCursor?: string | undefined; total?: number },
  Item extends { readonly id: string },
>(
  name: string,
  list: (input: Input, options?: CallOptions) => Promise<Page>,
  input: NoInfer<Input>,
  getItems: (page: Page) => readonly Item[],
  { all = false } = {},
): PagedList<Item> {
  const { readOnce, signal } = useMarketplace();

  async function open() {
    const listPages = pages(list, input, { signal });
    let items: readonly Item[] = [];
    let page: Page | undefined;
    for await (page of listPages) {
      items = addItems(items, getItems(page));
      if (!all) break;
    }
    return { listPages, items, page, isOutdated: false };
  }
  const [state, setState] = useState(use(readOnce(`${name} ${JSON.stringify(input)}`, open)));

  async function loadMore() {
    try {
      if (state.isOutdated) {
        setState(await open());
        return;
      }
      const { value: page } = await state.listPages.next();
      if (!page) return;
      setState((former) => ({ ...former, page, items: addItems(former.items, getItems(page)) }));
    } catch (error) {
      const isOutdated = errorDetails(error).code === 'cursor-not-found';
      if (isOutdated) setState((former) => ({ ...former, isOutdated }));
      throw error;
    }
  }

  return {
    ...state,
    total: state.page?.total,
    hasMore: state.page?.hasMore ?? false,
    loadMore,
    setItems: (change) => setState((former) => ({ ...former, items: change(former.items) })),
  };
}

/** Adds the items of a page. Pages of different age may repeat an item. */
function addItems<Item extends { id: string }>(items: readonly Item[], added: readonly Item[]) {
  return [...new Map([...items, ...added].map((item) => [item.id, item])).values()];
}
