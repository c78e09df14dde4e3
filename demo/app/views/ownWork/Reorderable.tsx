import { Accessibility, PointerSensor, type Draggable } from '@dnd-kit/dom';
import { DragDropProvider } from '@dnd-kit/react';
import { isSortable, useSortable } from '@dnd-kit/react/sortable';
import { useMemo, type ReactNode } from 'react';
import type { FlashListing } from '@tattoo-marketplace/client';
import { ListingCard, pictureTitle } from '../../components/PictureCard.tsx';

interface ReorderableProps {
  /** The number of listings. */
  count: number;
  /** True if no listing can be picked up. */
  isDisabled: boolean;
  onMove: (from: number, to: number) => void;
  children: ReactNode;
}

/** Lets the cards in it be moved with mouse, touch or keys. */
export function Reorderable({ count, isDisabled, onMove, children }: ReorderableProps) {
  const announcements = useMemo(() => announcementsFor(count), [count]);
  const onDragEnd = ({ operation: { source }, canceled }: DragEvent) => {
    if (canceled || !isSortable(source) || source.initialIndex === source.index) return;
    onMove(source.initialIndex, source.index);
  };
  return (
    <DragDropProvider
      plugins={(defaults) => [...defaults, announcements]}
      sensors={(defaults) => [...defaults, immediateSensor]}
      onBeforeDragStart={(event) => isDisabled && event.preventDefault()}
      onDragEnd={onDragEnd}
      children={children}
    />
  );
}

/** A handle is touched only to drag: there is no need to press it for a while. */
const immediateSensor = PointerSensor.configure({ activationConstraints: () => undefined });

type ReorderableCardProps = { listing: FlashListing; index: number; checkbox: ReactNode };

export function ReorderableCard({ listing, index, checkbox }: ReorderableCardProps) {
  const { ref, handleRef } = useSortable({ id: listing.id, index });
  const label = `Move: ${pictureTitle(listing)}`;
  return (
    <ListingCard listing={listing} ref={ref}>
      {checkbox}
      <button type="button" className="handle" aria-label={label} ref={handleRef} children="⠿" />
    </ListingCard>
  );
}

const INSTRUCTIONS =
  'Press Space to pick it up, the arrow keys to move it, Space to put it down, or Escape to put it back.';

type Source = Draggable | null;
type DragEvent = { readonly operation: { readonly source: Source }; readonly canceled?: boolean };

/** The announcements of screen readers. They have just named the listing. */
function announcementsFor(count: number) {
  let announced: number | undefined;
  const positionOf = (source: Source) => (isSortable(source) ? source.index + 1 : 0);
  const announce = (action: string, source: Source) => {
    announced = positionOf(source);
    return `${action} at place ${announced} of ${count}.`;
  };
  return Accessibility.configure({
    announcements: {
      dragstart: ({ operation: { source } }: DragEvent) => announce('Picked up', source),
      // Also called while the listing is still at its place.
      dragover: ({ operation: { source } }: DragEvent) =>
        positionOf(source) === announced ? undefined : announce('Moved', source),
      dragend: ({ operation: { source }, canceled }: DragEvent) =>
        canceled ? 'Put back.' : announce('Put down', source),
    },
    screenReaderInstructions: { draggable: INSTRUCTIONS },
  });
}
