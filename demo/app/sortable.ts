import { Accessibility, DragDropManager, PointerSensor } from '@dnd-kit/dom';
import { isSortable, Sortable } from '@dnd-kit/dom/sortable';
import { focused } from './dom.ts';
import { moved } from './order.ts';
import { cardsOf } from './pictures.ts';

const INSTRUCTIONS =
  'Press Space to pick it up, the arrow keys to move it, Space to put it down, or Escape to put it back.';

/**
 * Makes a list sortable by the `.handle` of its elements, with mouse, touch or keys. `save(from, to)` resolves with
 * whether the move was saved; if not, it is taken back. Until then nothing else can be moved.
 */
export function sortable(
  list: HTMLElement,
  save: (from: number, to: number) => Promise<boolean>,
  signal: AbortSignal,
): void {
  const announcements = announcementsFor(list.children.length);
  const manager = new DragDropManager({
    plugins: (defaults) => [...defaults, announcements],
    sensors: (defaults) => [...defaults, atOnce],
  });
  signal.addEventListener('abort', () => {
    manager.destroy();
  });
  let items = cardsOf(list).map((element, index) => {
    const handle = element.querySelector('.handle') ?? element;
    return new Sortable({ id: element.dataset.id ?? '', index, element, handle }, manager);
  });
  let isSaving = false;
  manager.monitor.addEventListener('beforedragstart', (event) => {
    if (isSaving) event.preventDefault();
  });
  const drop = async (from: number, to: number) => {
    isSaving = true;
    const isSaved = await save(from, to);
    // Until then the element moves to its place.
    while (!manager.dragOperation.status.idle && !signal.aborted) {
      await new Promise(requestAnimationFrame);
    }
    if (isSaved) items = moved(items, from, to);
    else show(list, items);
    isSaving = false;
  };
  manager.monitor.addEventListener('dragend', ({ operation: { source }, canceled }) => {
    if (canceled || !isSortable(source) || source.initialIndex === source.index) return;
    void drop(source.initialIndex, source.index);
  });
}

function show(list: HTMLElement, items: readonly Sortable[]): void {
  const origin = focused();
  list.append(...items.flatMap(({ element }) => element ?? []));
  for (const [index, item] of items.entries()) item.index = index;
  origin.focus();
}

/** A handle is touched only to drag: there is no need to press it for a while. */
const atOnce = PointerSensor.configure({ activationConstraints: () => undefined });

type Dragged = Parameters<typeof isSortable>[0];
type Dragging = { readonly operation: { readonly source: Dragged }; readonly canceled?: boolean };

/** What screen readers say; they have just said which element it is. */
function announcementsFor(count: number) {
  let place: number | undefined;
  const announce = (action: string, dragged: Dragged) => {
    place = placeOf(dragged);
    return `${action} at place ${place} of ${count}.`;
  };
  return Accessibility.configure({
    announcements: {
      dragstart: ({ operation: { source } }: Dragging) => announce('Picked up', source),
      // Also where the element is still at its place.
      dragover: ({ operation: { source } }: Dragging) =>
        placeOf(source) === place ? undefined : announce('Moved', source),
      dragend: ({ operation: { source }, canceled }: Dragging) =>
        canceled ? 'Put back.' : announce('Put down', source),
    },
    screenReaderInstructions: { draggable: INSTRUCTIONS },
  });
}

const placeOf = (dragged: Dragged) => (isSortable(dragged) ? dragged.index + 1 : 0);
