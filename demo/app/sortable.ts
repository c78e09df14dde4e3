import {
  Accessibility,
  DragDropManager,
  PointerSensor,
  Sortable,
} from '../vendor/drag-and-drop.js';
import { moved } from './order.js';

const INSTRUCTIONS =
  'Press Space to pick it up, the arrow keys to move it, Space to put it down, or Escape to put it back.';

/**
 * Makes a list sortable by the `.handle` of its elements, with mouse, touch or keys. `save(from, to)` resolves with
 * whether the move was saved; if not, it is taken back. Until then nothing else can be moved.
 */
export function sortable(list, save, signal) {
  const announcements = announcementsFor(list.children.length);
  const manager = new DragDropManager({
    plugins: (defaults) => [...defaults, announcements],
    sensors: (defaults) => [...defaults, atOnce],
  });
  signal.addEventListener('abort', () => manager.destroy());
  let items = [...list.children].map((element, index) => {
    const handle = element.querySelector('.handle');
    return new Sortable({ id: element.dataset.id, index, element, handle }, manager);
  });
  let isSaving = false;
  manager.monitor.addEventListener('beforedragstart', (event) => {
    if (isSaving) event.preventDefault();
  });
  manager.monitor.addEventListener('dragend', async ({ operation, canceled }) => {
    const { initialIndex: from, index: to } = operation.source.sortable;
    if (canceled || from === to) return;
    isSaving = true;
    const isSaved = await save(from, to);
    // Until then the element moves to its place.
    while (!manager.dragOperation.status.idle && !signal.aborted) {
      await new Promise(requestAnimationFrame);
    }
    if (isSaved) items = moved(items, from, to);
    else show(list, items);
    isSaving = false;
  });
}

function show(list, items) {
  const focused = document.activeElement;
  list.append(...items.map(({ element }) => element));
  for (const [index, item] of items.entries()) item.index = index;
  focused.focus();
}

/** A handle is touched only to drag: there is no need to press it for a while. */
const atOnce = PointerSensor.configure({ activationConstraints: () => undefined });

/** What screen readers say; they have just said which element it is. */
function announcementsFor(count) {
  let place;
  const announce = (action, { operation }) => {
    place = operation.source.sortable.index;
    return `${action} at place ${place + 1} of ${count}.`;
  };
  return Accessibility.configure({
    announcements: {
      dragstart: (event) => announce('Picked up', event),
      // Also where the element is still at its place.
      dragover: (event) =>
        event.operation.source.sortable.index === place ? undefined : announce('Moved', event),
      dragend: (event) => (event.canceled ? 'Put back.' : announce('Put down', event)),
    },
    screenReaderInstructions: { draggable: INSTRUCTIONS },
  });
}
