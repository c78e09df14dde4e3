import { Accessibility } from '@dnd-kit/dom';
import type { DragEndEvent } from '@dnd-kit/react';
import { isSortable, useSortable } from '@dnd-kit/react/sortable';
import type { FlashListing } from '@tattoo-marketplace/client';
import { ListingCard, pictureTitle, type CardProps } from '../../components/PictureCard.tsx';

type SortableCardProps = CardProps<FlashListing> & { index: number };

/** The card of a listing that can be moved by its handle. */
export function SortableCard({ item, index, children }: SortableCardProps) {
  const { ref, handleRef } = useSortable({ id: item.id, index });
  const label = `Move: ${pictureTitle(item)}`;
  return (
    <ListingCard item={item} ref={ref}>
      {children}
      <button type="button" className="handle" aria-label={label} ref={handleRef} children="⠿" />
    </ListingCard>
  );
}

type Move = Pick<DragEndEvent, 'operation'>;

export const announcements = Accessibility.configure({
  announcements: {
    dragstart: (move: Move) => announce('Picked up', move),
    dragover: (move: Move) => announce('Moved', move),
    dragend: (move: DragEndEvent) => (move.canceled ? 'Put back.' : announce('Put down', move)),
  },
});

/** Says to screen readers where a listing is. They have just named it. */
function announce(action: string, { operation: { source, target } }: Move) {
  // A listing moves to the place of its target. It then is its own target.
  if (!isSortable(source) || (action === 'Moved' && target?.id === source.id)) return undefined;
  const { index } = action === 'Moved' && isSortable(target) ? target : source;
  const count = [...(source.manager?.registry.draggables ?? [])].length;
  return `${action} at place ${index + 1} of ${count}.`;
}
