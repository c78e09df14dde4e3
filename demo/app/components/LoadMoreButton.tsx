import { useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { PagedList } from '../api/usePagedList.ts';
import { useSession } from '../session.ts';
import { QuietButton } from './controls.tsx';

interface LoadMoreButtonProps {
  label: string;
  list: Omit<PagedList<unknown>, 'setItems'>;
  /** Contains an element for each item. */
  container: RefObject<HTMLElement | null>;
  /** True if new elements appear above. */
  isReversed?: boolean;
}

/** Shows the next page of a list. If the button has the focus, it passes it on to the first new element. */
export function LoadMoreButton(props: LoadMoreButtonProps) {
  const { label, list, container, isReversed } = props;
  const { items, hasMore, isOutdated, loadMore } = list;
  const [isBusy, setBusy] = useState(false);
  const { run } = useSession();
  const load = async (button: HTMLElement) => {
    if (isBusy) return;
    setBusy(true);
    const isLoaded = await run(loadMore);
    const hasFocus = document.activeElement === button;
    const distanceToEnd = document.documentElement.scrollHeight - scrollY;
    // Renders the new elements now.
    flushSync(() => setBusy(false));
    // Do not move the elements that the user is looking at.
    if (isReversed) scrollTo(0, document.documentElement.scrollHeight - distanceToEnd);
    if (!isLoaded || !hasFocus) return;
    const first = container.current?.children[isReversed || isOutdated ? 0 : items.length];
    const target = first?.querySelector('button') ?? first;
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  };
  return (
    <QuietButton
      label={isOutdated ? 'Load the list again' : label}
      hidden={!hasMore}
      // Not disabled, or it would lose the focus.
      aria-busy={isBusy}
      onClick={(event) => load(event.currentTarget)}
    />
  );
}
