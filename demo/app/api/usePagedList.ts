import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { pages, type CallOptions, type MarketplaceError } from '@tattoo-marketplace/client';

/** Data that is read when the component mounts. */
export interface Loadable {
  readonly isLoaded: boolean;
  /** Why the latest call has failed. */
  readonly error?: unknown;
}

/** A list that is read page by page. */
export interface PagedList<Item, Page = unknown> extends Loadable {
  /** The items of the pages that were read, each once. */
  readonly items: readonly Item[];
  /** The latest page that was read. */
  readonly page?: Page;
  readonly hasMore: boolean;
  /** The list has changed so that its next page is unknown. `loadMore` reads the first page again. */
  readonly isOutdated: boolean;
  /** Reads the next page. Rejects with a `MarketplaceError`; call it again to retry. */
  readonly loadMore: () => Promise<void>;
  /** Updates the items after a change. */
  readonly setItems: (change: (items: readonly Item[]) => readonly Item[]) => void;
}

const UNREAD = { items: [], isOutdated: false };

/** Reads the first page of a list, or all pages. When the component unmounts, it aborts the call under way. */
export function usePagedList<
  Input extends { cursor?: string | undefined },
  Page extends { readonly hasMore: boolean; readonly nextCursor?: string | undefined },
  Item extends { readonly id: string },
>(
  list: (input: Input, options?: CallOptions) => Promise<Page>,
  input: NoInfer<Input>,
  itemsOf: (page: Page) => readonly Item[],
  { all = false } = {},
): PagedList<Item, Page> {
  type State = Pick<PagedList<Item, Page>, 'items' | 'page' | 'isOutdated' | 'error'>;
  const [state, setState] = useState<State>(UNREAD);
  const load = useRef(() => Promise.resolve());
  const open = useEffectEvent((signal: AbortSignal) => pages(list, input, { signal }));
  const show = useEffectEvent((page: Page, isFirst: boolean) => {
    setState((former) => {
      const items = isFirst ? [] : former.items;
      // Pages of different age may repeat an item.
      const byId = new Map([...items, ...itemsOf(page)].map((item) => [item.id, item]));
      return { items: [...byId.values()], page, isOutdated: false };
    });
  });
  const key = JSON.stringify(input);
  useEffect(() => {
    const controller = new AbortController();
    let listPages = open(controller.signal);
    let isFirst = true;
    load.current = async () => {
      try {
        const { value: page } = await listPages.next();
        if (page) show(page, isFirst);
        isFirst = false;
        if (all && page?.hasMore) await load.current();
      } catch (error) {
        const isOutdated = (error as Partial<MarketplaceError>).code === 'cursor-not-found';
        if (isOutdated) listPages = open(controller.signal);
        isFirst ||= isOutdated;
        setState((former) => ({ ...former, isOutdated, error }));
        throw error;
      }
    };
    // The error is in the state.
    load.current().catch(() => undefined);
    return () => {
      controller.abort();
      setState(UNREAD);
    };
  }, [list, key, all]);

  const hasMore = state.page?.hasMore ?? true;
  return {
    ...state,
    isLoaded: state.page !== undefined && !(all && hasMore),
    hasMore,
    loadMore: () => load.current(),
    setItems: (change) => setState((former) => ({ ...former, items: change(former.items) })),
  };
}
