import { focused, one, quiet } from './dom.ts';

const notice = one('#notice');
let timer: number | undefined;

/** How a notice behaves. */
interface NoticeOptions {
  /** Takes back what was done. The notice has a button for that. */
  readonly undo?: (() => unknown) | undefined;
  /** Does not hide by itself. */
  readonly stays?: boolean;
  /** The button to undo gets the focus. */
  readonly byKey?: boolean;
}

/**
 * Shows a message at the top of the page, also to screen readers. It hides after some seconds, but not while it has the
 * focus or the pointer, nor if it `stays`.
 */
export function notify(
  text: string,
  { undo, stays = false, byKey = false }: NoticeOptions = {},
): void {
  const origin = focused();
  clearInterval(timer);
  const hide = () => {
    clearInterval(timer);
    if (notice.contains(document.activeElement)) origin.focus();
    notice.replaceChildren();
  };
  const undoAndHide = () => {
    hide();
    undo?.();
  };
  const button = undo ? quiet('Undo', undoAndHide) : stays && quiet('Close', hide);
  notice.replaceChildren(text, ...(button ? [button] : []));
  notice.onkeydown = ({ key }) => {
    if (key === 'Escape') hide();
    // The next stop is the one after the element that had the focus.
    if (key === 'Tab') origin.focus();
  };
  if (undo && byKey && button) button.focus();
  if (stays) return;
  timer = setInterval(
    () => {
      if (!notice.matches(':hover, :focus-within')) hide();
    },
    undo ? 12_000 : 6_000,
  );
}
