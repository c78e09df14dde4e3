/**
 * Makes a list sortable by the `.handle` of its elements: with mouse, touch or arrow keys. `save` gets the ids in their
 * new order and resolves with whether it succeeded; if not, the old order is restored.
 */
export function sortable(list, save) {
  let dragged;
  let before;

  const ids = () => [...list.children].map(({ dataset }) => dataset.id);
  const finish = async () => {
    const card = dragged;
    dragged = undefined;
    card.classList.remove('is-dragged');
    const former = before;
    if (ids().join() === former.map(({ dataset }) => dataset.id).join()) return;
    if (!(await save(ids()))) list.replaceChildren(...former);
  };

  list.addEventListener('pointerdown', (event) => {
    const grip = event.target.closest('.handle');
    if (grip === null || event.button !== 0) return;
    event.preventDefault();
    grip.focus();
    dragged = grip.closest('li');
    before = [...list.children];
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
    dragged = grip.closest('li');
    before = [...list.children];
    if (steps < 0) dragged.previousElementSibling?.before(dragged);
    else dragged.nextElementSibling?.after(dragged);
    grip.focus();
    finish();
  });
}
