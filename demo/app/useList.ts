import { useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getItems, type InfiniteQuery } from '@tattoo-marketplace/client/react-query';
import { errorDetails } from './errors.ts';

/** Reads a list page by page, or all pages. The component suspends until the first one is there. */
export function useList<Page extends object>(query: InfiniteQuery<Page>, all = false) {
  const read = useSuspenseInfiniteQuery(query);
  const { data, error, hasNextPage: hasMore, isFetching, isFetchingNextPage: isLoading } = read;
  const isOutdated = errorDetails(error ?? {}).code === 'cursor-not-found';
  const loadMore = async () => {
    const load = isOutdated ? read.refetch : read.fetchNextPage;
    return { isDone: (await load({ cancelRefetch: false })).isSuccess };
  };
  useEffect(() => {
    if (all && hasMore && !isFetching && !error) void loadMore();
  });
  const { total } = data.pages.at(-1) as { total?: number };
  return { items: getItems(data), total, hasMore, isOutdated, isLoading, loadMore };
}

/** A list that is read page by page. */
export type PagedList<Item> = Omit<ReturnType<typeof useList>, 'items'> & { items: Item[] };
