import { useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getItems, type InfiniteQuery } from '@tattoo-marketplace/client/react-query';

/** Reads a list page by page, or all pages. The component suspends until the first one is there. */
export function useList<Page extends object>(query: InfiniteQuery<Page>, all = false) {
  const list = useSuspenseInfiniteQuery(query);
  const { data, error, hasNextPage, isFetching, isFetchingNextPage, fetchNextPage } = list;
  useEffect(() => {
    if (all && hasNextPage && !isFetching && !error) void fetchNextPage();
  });
  const { total } = data.pages.at(-1) as { total?: number };
  return { items: getItems(data), total, hasNextPage, isFetchingNextPage, fetchNextPage };
}

/** A list that is read page by page. */
export type PagedList<Item> = Omit<ReturnType<typeof useList>, 'items'> & { items: Item[] };
