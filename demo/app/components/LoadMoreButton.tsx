import type { MouseEvent } from 'react';
import { flushSync } from 'react-dom';
import type { PagedList } from '../useList.ts';

interface LoadMoreButtonProps {
  label: string;
  list: PagedList<unknown>;
  /** True if new items appear above. */
  isReversed?: boolean;
}

/** Loads the next page of the list beside it. If it has the focus, it passes it on to the first new item. */
export function LoadMoreButton({ label, list, isReversed }: LoadMoreButtonProps) {
  const { items, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const load = async ({ currentTarget: button }: MouseEvent<HTMLElement>) => {
    const { isSuccess } = await fetchNextPage({ cancelRefetch: false });
    const hasFocus = document.activeElement === button;
    const distanceToEnd = document.documentElement.scrollHeight - scrollY;
    // Renders the new items now.
    flushSync(() => undefined);
    // Do not move the items that the user is looking at.
    if (isReversed) scrollTo(0, document.documentElement.scrollHeight - distanceToEnd);
    if (!isSuccess || !hasFocus) return;
    const first = button.parentElement?.querySelectorAll('li')[isReversed ? 0 : items.length];
    (first?.querySelector('button') ?? first)?.focus({ preventScroll: true });
  };
  // A disabled button would lose the focus.
  return (
    <button hidden={!hasNextPage} aria-busy={isFetchingNextPage} onClick={load} children={label} />
  );
}
