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

type PageEnd = { hasMore: boolean; nextCursor?: string | undefined; total?: number };

/**
 * Reads the first page of a list, or all pages. Until then the component suspends. `field` names the field of a page that has
 * its items. For another `input`, give the component another `key`.
 */
export function usePagedList<
  Input extends { cursor?: string | undefined },
  Field extends string,
  Item extends { readonly id: string },
>(
  list: (input: Input, options?: CallOptions) => Promise<PageEnd & Record<Field, readonly Item[]>>,
  input: NoInfer<Input>,
  field: Field,
  { all = false } = {},
): PagedList<Item> {
  const { readOnce, signal } = useMarketplace();
  const openPages = () => pages(list, input, { signal });

  /** Reads the next page, or all of the remaining pages. */
  async function readNext(listPages: ReturnType<typeof openPages>) {
    const read = [];
    for await (const page of listPages) {
      read.push(page);
      if (!all) break;
    }
    const { hasMore = false, total } = read.at(-1) ?? {};
    const items = read.flatMap((page) => page[field]);
    return { listPages, items: removeRepeated(items), hasMore, total, isOutdated: false };
  }
  const readStart = () => readNext(openPages());
  const [state, setState] = useState(use(readOnce(`${field} ${JSON.stringify(input)}`, readStart)));

  async function loadMore() {
    try {
      const next = state.isOutdated ? await readStart() : await readNext(state.listPages);
      setState(({ items, isOutdated }) => ({
        ...next,
        items: isOutdated ? next.items : removeRepeated([...items, ...next.items]),
      }));
    } catch (error) {
      const isOutdated = errorDetails(error).code === 'cursor-not-found';
      if (isOutdated) setState((former) => ({ ...former, isOutdated }));
      throw error;
    }
  }

  return {
    ...state,
    loadMore,
    setItems: (change) => setState((former) => ({ ...former, items: change(former.items) })),
  };
}

/** Pages of different age may repeat an item. */
function removeRepeated<Item extends { readonly id: string }>(
  items: readonly Item[],
): readonly Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
