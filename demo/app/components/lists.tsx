import { useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { useEffect, type MouseEvent } from 'react';
import { flushSync } from 'react-dom';
import { getItems, type InfiniteQuery } from '@tattoo-marketplace/client/react-query';

/** A list that is read page by page. */
export type PagedList<Item> = Omit<ReturnType<typeof useList>, 'items'> & { items: Item[] };

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

/**
 * Loads the next page of the list before it, or of the list after it, which then begins with the new items. If the button has
 * the focus, it passes it on to the first of them.
 */
export function LoadMoreButton({ label, list }: { label: string; list: PagedList<unknown> }) {
  const { items, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const load = async ({ currentTarget: button }: MouseEvent<HTMLElement>) => {
    const { isSuccess } = await fetchNextPage({ cancelRefetch: false });
    const hasFocus = document.activeElement === button;
    const isAbove = button.nextElementSibling?.tagName === 'UL';
    const distanceToEnd = document.documentElement.scrollHeight - scrollY;
    // Renders the new items now.
    flushSync(() => undefined);
    // Do not move the items that the user is looking at.
    if (isAbove) scrollTo(0, document.documentElement.scrollHeight - distanceToEnd);
    if (!isSuccess || !hasFocus) return;
    const first = button.parentElement?.querySelectorAll('li')[isAbove ? 0 : items.length];
    (first?.querySelector('button') ?? first)?.focus({ preventScroll: true });
  };
  // A disabled button would lose the focus.
  return (
    <button hidden={!hasNextPage} aria-busy={isFetchingNextPage} onClick={load} children={label} />
  );
}
