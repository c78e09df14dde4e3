/** Moves the focus to the start of the view. */
export const focusView = () => document.querySelector('main')?.focus({ preventScroll: true });

/** Moves the focus on from a part of the page that goes away, unless the user has moved it out of there meanwhile. */
export function passFocus(from: Element | null, to: HTMLElement | null | undefined) {
  const { activeElement, body } = document;
  if (activeElement !== body && !from?.contains(activeElement)) return;
  if (to) to.focus();
  else focusView();
}
