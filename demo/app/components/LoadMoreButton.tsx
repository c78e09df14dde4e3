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
  const { items, hasMore, isOutdated, isLoading, loadMore } = list;
  const load = async ({ currentTarget: button }: MouseEvent<HTMLElement>) => {
    const { isDone } = await loadMore();
    const hasFocus = document.activeElement === button;
    const distanceToEnd = document.documentElement.scrollHeight - scrollY;
    // Renders the new items now.
    flushSync(() => undefined);
    // Do not move the items that the user is looking at.
    if (isReversed) scrollTo(0, document.documentElement.scrollHeight - distanceToEnd);
    if (!isDone || !hasFocus) return;
    const index = isReversed || isOutdated ? 0 : items.length;
    const first = button.parentElement?.querySelectorAll('li')[index];
    (first?.querySelector('button') ?? first)?.focus({ preventScroll: true });
  };
  // A disabled button would lose the focus.
  return (
    <button hidden={!hasMore} aria-busy={isLoading} onClick={load}>
      {isOutdated ? 'Load the list again' : label}
    </button>
  );
}
