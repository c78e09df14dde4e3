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

/** Shows a message at the bottom of the page, also to screen readers. It hides after some seconds, unless it `stays`. */
export function notify(
  text: string,
  { undo, stays = false, byKey = false }: NoticeOptions = {},
): void {
  const origin = focused();
  const hide = () => {
    if (notice.contains(document.activeElement)) origin.focus();
    notice.classList.remove('is-shown');
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
  notice.classList.add('is-shown');
  if (undo && byKey && button) button.focus();
  clearTimeout(timer);
  // A notice with the focus or the pointer in it remains visible (demo.css).
  if (!stays) {
    timer = window.setTimeout(
      () => {
        notice.classList.remove('is-shown');
      },
      undo ? 12_000 : 6_000,
    );
  }
}
