import { quiet } from './dom.js';

const notice = document.querySelector('#notice');
let timer;

/**
 * Shows a message at the bottom of the page, also to screen readers. It hides after some seconds, unless it `stays`. With
 * `undo` it has a button for that, which gets the focus `byKey`.
 */
export function notify(text, { undo, stays = false, byKey = false } = {}) {
  const origin = document.activeElement;
  const hide = () => {
    if (notice.contains(document.activeElement)) origin.focus();
    notice.classList.remove('is-shown');
  };
  const undoAndHide = () => {
    hide();
    undo();
  };
  const button = undo ? quiet('Undo', undoAndHide) : stays && quiet('Close', hide);
  notice.replaceChildren(...[text, button].filter(Boolean));
  notice.onkeydown = ({ key }) => {
    if (key === 'Escape') hide();
    // The next stop is the one after the element that had the focus.
    if (key === 'Tab') origin.focus();
  };
  notice.classList.add('is-shown');
  if (undo && byKey) button.focus();
  clearTimeout(timer);
  // A notice with the focus or the pointer in it remains visible (demo.css).
  if (!stays) timer = setTimeout(() => notice.classList.remove('is-shown'), undo ? 12_000 : 6_000);
}
