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

const INSTRUCTIONS =
  'Press Space to pick it up, the arrow keys to move it, Space to put it down, or Escape to put it back.';

type Move = Pick<DragEndEvent, 'operation'>;

/** Announces to screen readers where a listing is moved. They have just named the listing. */
export function announceMoves(count: number) {
  let announced: number | undefined;
  const getPlace = ({ operation: { source } }: Move) => (isSortable(source) ? source.index + 1 : 0);
  const announce = (action: string, move: Move) => {
    announced = getPlace(move);
    return `${action} at place ${announced} of ${count}.`;
  };
  return Accessibility.configure({
    announcements: {
      dragstart: (move: Move) => announce('Picked up', move),
      // Also called while the listing is still at its place.
      dragover: (move: Move) =>
        getPlace(move) === announced ? undefined : announce('Moved', move),
      dragend: (move: DragEndEvent) => (move.canceled ? 'Put back.' : announce('Put down', move)),
    },
    screenReaderInstructions: { draggable: INSTRUCTIONS },
  });
}
