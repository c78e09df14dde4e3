import { Fragment, useEffect, useRef, useState } from 'react';
import type { Dispatch, KeyboardEvent, SetStateAction } from 'react';
import { describeError, errorDetails, type ErrorMessages } from '#hooks/errorMessages.ts';
import { signOutIfRejected } from '../session.ts';
import { QuietButton } from './controls.tsx';

/** A message at the top of the page, also to screen readers. */
export interface Notice {
  text: string;
  /** Reverts the action. The notice then has a button for that, which gets the focus from the keyboard. */
  undo?: (() => unknown) | undefined;
  /** Does not hide by itself. */
  persistent?: boolean;
}

interface ShownNotice extends Notice {
  time: number;
  /** The element that had the focus. */
  origin: HTMLElement | null;
}

let setNotice: Dispatch<SetStateAction<ShownNotice | undefined>> | undefined;

/** Shows a notice in the `NoticeArea`. */
export function notify(notice: Notice) {
  const origin = document.activeElement as HTMLElement | null;
  setNotice?.({ ...notice, time: Date.now(), origin });
}

/** Hides a notice with an undo, which would change the list of a view that the user has left. */
export const hideUndo = () => setNotice?.((notice) => (notice?.undo ? undefined : notice));

/** Runs an action, and shows the text for its success, or its error. Resolves with what happened. */
export async function run(action: () => unknown, success?: string, errors?: ErrorMessages) {
  try {
    await action();
    if (success !== undefined) notify({ text: success });
    return { isDone: true };
  } catch (error) {
    const { name, status, code } = errorDetails(error);
    // The user has left the view.
    if (name !== 'AbortError')
      notify({ text: describeError(error, errors), persistent: status === 500 });
    await signOutIfRejected(error);
    return { isDone: false, code };
  }
}

/** Shows the latest notice. It hides after some seconds, unless it has the focus or the pointer. */
export function NoticeArea() {
  const [notice, setShownNotice] = useState<ShownNotice>();
  const area = useRef<HTMLDivElement>(null);

  useEffect(() => {
    setNotice = setShownNotice;
  }, []);

  useEffect(() => {
    if (!notice || notice.persistent) return undefined;
    const hideUnlessUsed = () => {
      if (!area.current?.matches(':hover, :focus-within')) setShownNotice(undefined);
    };
    const timer = setInterval(hideUnlessUsed, notice.undo ? 12_000 : 6_000);
    return () => clearInterval(timer);
  }, [notice]);

  const returnFocus = () => notice?.origin?.focus();
  const hide = () => {
    returnFocus();
    setShownNotice(undefined);
  };
  const undoAndHide = () => {
    hide();
    notice?.undo?.();
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') hide();
    // The next stop is the element after the one that had the focus.
    if (key === 'Tab') returnFocus();
  };
  return (
    <div id="notice" role="status" ref={area}>
      <Fragment key={notice?.time}>
        {notice?.text}
        {(notice?.undo ?? notice?.persistent) && (
          <QuietButton
            autoFocus={notice.undo && notice.origin?.matches(':focus-visible')}
            onClick={undoAndHide}
            onKeyDown={onKeyDown}
            children={notice.undo ? 'Undo' : 'Close'}
          />
        )}
      </Fragment>
    </div>
  );
}
