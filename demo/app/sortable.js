/** Makes a list sortable by the `.handle` of its elements: with mouse, touch or arrow keys. Calls `changed` with each that was moved. */
export function sortable(list, changed) {
  let dragged;
  let before;

  const finish = () => {
    const card = dragged;
    card.classList.remove('is-dragged');
    dragged = undefined;
    if (card.previousElementSibling !== before) changed(card);
  };

  list.addEventListener('pointerdown', (event) => {
    const grip = event.target.closest('.handle');
    if (grip === null || event.button !== 0) return;
    event.preventDefault();
    grip.focus();
    dragged = grip.closest('li');
    before = dragged.previousElementSibling;
    dragged.classList.add('is-dragged');
    // The list gets all further pointer events, wherever the pointer is.
    list.setPointerCapture(event.pointerId);
  });
  list.addEventListener('pointermove', (event) => {
    if (dragged === undefined) return;
    const over = document.elementFromPoint(event.clientX, event.clientY)?.closest('li');
    if (!over || over === dragged || over.parentElement !== list) return;
    const isLater = dragged.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING;
    over[isLater ? 'after' : 'before'](dragged);
  });
  list.addEventListener('pointerup', () => dragged && finish());
  list.addEventListener('pointercancel', () => dragged && finish());

  list.addEventListener('keydown', (event) => {
    const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const grip = event.target.closest('.handle');
    if (steps === undefined || grip === null || dragged !== undefined) return;
    event.preventDefault();
    const card = grip.closest('li');
    const neighbour = steps < 0 ? card.previousElementSibling : card.nextElementSibling;
    if (neighbour === null) return;
    neighbour[steps < 0 ? 'before' : 'after'](card);
    grip.focus();
    changed(card);
  });
}
