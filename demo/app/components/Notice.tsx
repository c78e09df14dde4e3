import { useEffect, useState, type KeyboardEvent } from 'react';
import { getFrame } from '../frame.ts';
import type { NoticeOptions } from '../session.ts';
import { QuietButton } from './controls.tsx';

type NoticeProps = NoticeOptions & { text: string; onHide: (notice: undefined) => void };

/** A notice. It hides after some seconds, unless it is persistent, or has the focus or the pointer. */
export function Notice({ text, undo, persistent = false, viaKeyboard, onHide }: NoticeProps) {
  const [origin] = useState(() => document.activeElement);
  const delay = undo ? 12_000 : 6_000;
  useEffect(() => {
    const hideUnlessUsed = () => {
      if (!persistent && !getFrame('notice').matches(':hover, :focus-within')) onHide(undefined);
    };
    const timer = setInterval(hideUnlessUsed, delay);
    return () => clearInterval(timer);
  }, [persistent, delay, onHide]);

  const returnFocus = () => {
    if (origin instanceof HTMLElement) origin.focus();
  };
  const hide = () => {
    if (getFrame('notice').contains(document.activeElement)) returnFocus();
    onHide(undefined);
  };
  const undoAndHide = () => {
    hide();
    undo?.();
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') hide();
    // The next stop is the element after the one that had the focus.
    if (key === 'Tab') returnFocus();
  };
  const button = undo
    ? { label: 'Undo', onClick: undoAndHide, autoFocus: viaKeyboard }
    : { label: 'Close', onClick: hide };
  return (
    <>
      {text}
      {(undo ?? persistent) && <QuietButton {...button} onKeyDown={onKeyDown} />}
    </>
  );
}
