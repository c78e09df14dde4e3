/** Moves the focus to the start of the view. */
export const focusView = () => document.querySelector('main')?.focus({ preventScroll: true });

/** Moves the focus on from an element that goes away, unless the user has moved it meanwhile. */
export function passFocus(from: Element | null | undefined, to: HTMLElement | null | undefined) {
  const { activeElement, body } = document;
  if (activeElement !== from && activeElement !== body) return;
  if (to) to.focus();
  else focusView();
}
