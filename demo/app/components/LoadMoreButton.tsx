import { useState, type MouseEvent } from 'react';
import { flushSync } from 'react-dom';
import type { PagedList } from '#hooks/usePagedList.ts';
import { QuietButton } from './controls.tsx';
import { run } from './notices.tsx';

interface LoadMoreButtonProps {
  label: string;
  list: Omit<PagedList<unknown>, 'setItems'>;
  /** True if new items appear above. */
  isReversed?: boolean;
}

/** Loads the next page of the list beside it. If it has the focus, it passes it on to the first new item. */
export function LoadMoreButton({ label, list, isReversed }: LoadMoreButtonProps) {
  const { items, hasMore, isOutdated, loadMore } = list;
  const [isBusy, setBusy] = useState(false);
  const load = async ({ currentTarget: button }: MouseEvent<HTMLElement>) => {
    if (isBusy) return;
    setBusy(true);
    const { isDone } = await run(loadMore);
    const hasFocus = document.activeElement === button;
    const distanceToEnd = document.documentElement.scrollHeight - scrollY;
    // Renders the new items now.
    flushSync(() => setBusy(false));
    // Do not move the items that the user is looking at.
    if (isReversed) scrollTo(0, document.documentElement.scrollHeight - distanceToEnd);
    if (!isDone || !hasFocus) return;
    const index = isReversed || isOutdated ? 0 : items.length;
    const first = button.parentElement?.querySelectorAll('li')[index];
    (first?.querySelector('button') ?? first)?.focus({ preventScroll: true });
  };
  // A disabled button would lose the focus.
  return (
    <QuietButton hidden={!hasMore} aria-busy={isBusy} onClick={load}>
      {isOutdated ? 'Load the list again' : label}
    </QuietButton>
  );
}
