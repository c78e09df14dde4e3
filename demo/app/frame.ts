/** Returns a part of the page that index.html has for all views. */
export function getFrame(id: 'view' | 'links' | 'account' | 'notice'): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`index.html has no element #${id}.`);
  return element;
}

/** Moves the focus to the start of the view. */
export function focusView(): void {
  getFrame('view').focus({ preventScroll: true });
}
