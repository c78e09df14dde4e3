import { useEffect, useRef, useState } from 'react';
import type { Dispatch, KeyboardEvent, SetStateAction } from 'react';
import { useMutation } from '@tanstack/react-query';
import { STALE_LIST_MESSAGES } from '../errors.ts';

/** A message at the bottom of the page, also to screen readers. */
export interface Notice {
  text: string;
  /** Reverts the action. The notice then has a button for that, which gets the focus from the keyboard. */
  undo?: (() => Promise<unknown>) | undefined;
  /** Does not hide by itself. */
  persistent?: boolean;
}

/** A notice with the element that had the focus. */
type ShownNotice = Notice & { time: number; origin: HTMLElement | null };

let setNotice: Dispatch<SetStateAction<ShownNotice | undefined>> | undefined;

/** Shows a notice in the `NoticeArea`. */
export function notify(notice: Notice) {
  const origin = document.activeElement as HTMLElement | null;
  setNotice?.({ ...notice, time: Date.now(), origin });
}

/** Hides the notice, unless it has an undo. */
export const hideNotice = () => setNotice?.((notice) => (notice?.undo ? notice : undefined));

/** Shows the latest notice. Its animation ends when it hides, and pauses while it has the focus or the pointer. */
export function NoticeArea() {
  const [notice, setShownNotice] = useState<ShownNotice>();
  const area = useRef<HTMLDivElement>(null);

  useEffect(() => {
    setNotice = setShownNotice;
    document.documentElement.style.setProperty('--notice', `${area.current?.offsetHeight ?? 0}px`);
    // The notice may lie over the control that was used.
    notice?.origin?.closest('main *')?.scrollIntoView({ block: 'nearest' });
  }, [notice]);

  const returnFocus = () => notice?.origin?.focus();
  const hide = () => {
    returnFocus();
    setShownNotice(undefined);
  };
  const { mutate: undo } = useMutation({
    mutationFn: (revert: () => Promise<unknown>) => revert(),
    meta: { success: 'Undone.', errors: STALE_LIST_MESSAGES },
  });
  const undoAndHide = () => {
    hide();
    if (notice?.undo) undo(notice.undo);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') hide();
    // The next stop is the element after the one that had the focus.
    if (key === 'Tab') returnFocus();
  };
  return (
    <div id="notice" role="status" ref={area}>
      {notice && (
        <p
          key={notice.time}
          className={notice.persistent ? 'persistent' : undefined}
          onAnimationEnd={() => setShownNotice(undefined)}
        >
          {notice.text}
          {(notice.undo ?? notice.persistent) && (
            <button
              autoFocus={notice.undo && notice.origin?.matches(':focus-visible')}
              onClick={undoAndHide}
              onKeyDown={onKeyDown}
              children={notice.undo ? 'Undo' : 'Close'}
            />
          )}
        </p>
      )}
    </div>
  );
}
