import type { KeyboardEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

/** A message at the bottom of the page, also to screen readers. */
export interface Notice {
  text: string;
  /** Reverts the action. The notice then has a button for that, which gets the focus from the keyboard. */
  undo?: (() => void) | undefined;
  /** Does not hide by itself. */
  persistent?: boolean;
}

const area = document.getElementById('notice') ?? document.body;
const root = createRoot(area);

function render(notice?: ReactNode) {
  flushSync(() => root.render(notice));
  document.documentElement.style.setProperty('--notice', `${area.offsetHeight}px`);
}

/** Shows a notice instead of the former one. Its animation ends when it hides, and pauses while it has the focus or the pointer. */
export function notify({ text, undo, persistent }: Notice) {
  const origin = document.activeElement as HTMLElement | null;
  const close = () => {
    origin?.focus();
    render();
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') close();
    // The next stop is the element after the one that had the focus.
    if (key === 'Tab') origin?.focus();
  };
  render(
    <p key={Date.now()} data-persistent={persistent} onAnimationEnd={() => render()}>
      {text}
      {(undo ?? persistent) && (
        <button
          className={undo && 'undo'}
          autoFocus={undo && origin?.matches(':focus-visible')}
          onClick={() => {
            close();
            undo?.();
          }}
          onKeyDown={onKeyDown}
          children={undo ? 'Undo' : 'Close'}
        />
      )}
    </p>,
  );
  // The notice may lie over the control that was used.
  origin?.closest('main *')?.scrollIntoView({ block: 'nearest' });
}

/** Hides the notice of a view that was left, unless it has an undo. */
addEventListener('hashchange', () => {
  if (!area.querySelector('.undo')) render();
});
