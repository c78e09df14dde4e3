import { Accessibility, PointerSensor } from '@dnd-kit/dom';
import type { DragEndEvent, DragOverEvent, DragStartEvent } from '@dnd-kit/react';
import { isSortable } from '@dnd-kit/react/sortable';

/** Lets the mouse and touch pick up a listing at once: there is no need to press its handle for a while. */
export const immediateSensor = PointerSensor.configure({ activationConstraints: () => undefined });

const INSTRUCTIONS =
  'Press Space to pick it up, the arrow keys to move it, Space to put it down, or Escape to put it back.';

type Source = DragEndEvent['operation']['source'];

/** Announces to screen readers where a listing is moved. They have just named the listing. */
export function announceMoves(count: number) {
  let announced: number | undefined;
  const positionOf = (source: Source) => (isSortable(source) ? source.index + 1 : 0);
  const announce = (action: string, source: Source) => {
    announced = positionOf(source);
    return `${action} at place ${announced} of ${count}.`;
  };
  return Accessibility.configure({
    announcements: {
      dragstart: ({ operation: { source } }: DragStartEvent) => announce('Picked up', source),
      // Also called while the listing is still at its place.
      dragover: ({ operation: { source } }: DragOverEvent) =>
        positionOf(source) === announced ? undefined : announce('Moved', source),
      dragend: ({ operation: { source }, canceled }: DragEndEvent) =>
        canceled ? 'Put back.' : announce('Put down', source),
    },
    screenReaderInstructions: { draggable: INSTRUCTIONS },
  });
}
