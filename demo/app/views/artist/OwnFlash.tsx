import { Accessibility, PointerSensor } from '@dnd-kit/dom';
import { DragDropProvider, type DragEndEvent } from '@dnd-kit/react';
import { isSortable, useSortable } from '@dnd-kit/react/sortable';
import { useMutation } from '@tanstack/react-query';
import { applyFlashUpdates, computeFlashUpdates } from '@tattoo-marketplace/client';
import type { FlashListing } from '@tattoo-marketplace/client';
import { reorderFlash, updateItems } from '@tattoo-marketplace/client/react-query';
import { ListingCard, pictureTitle, type CardProps } from '../../components/PictureCard.tsx';
import { PictureSection } from '../../components/PictureSection.tsx';
import { useList } from '../../components/lists.tsx';
import { STALE_LIST_MESSAGES } from '../../errors.ts';
import { pluralize } from '../../format.ts';
import { api, queries, queryClient } from '../../session.ts';
import type { ArtistProps } from './Artist.tsx';

/** A handle is touched only to drag: there is no need to press it for a while. */
const immediateSensor = PointerSensor.configure({ activationConstraints: () => undefined });

type Move = Pick<DragEndEvent, 'operation'>;

const announcements = Accessibility.configure({
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

/** The flash of the signed-in artist, to arrange and mark. */
export function OwnFlash({ id }: ArtistProps) {
  const query = queries.flash.listByArtist({ id, limit: 50 });
  const list = useList(query, true);
  const reorder = useMutation({
    mutationFn: (updates: ReturnType<typeof computeFlashUpdates>) =>
      reorderFlash(queryClient, query, api, updates),
    meta: { success: 'The new order is saved.', errors: STALE_LIST_MESSAGES },
  });
  const { isPending: isSaving, variables } = reorder;
  const items = isSaving ? applyFlashUpdates(list.items, variables) : list.items;

  const move = ({ operation: { source }, canceled }: DragEndEvent) => {
    if (canceled || !isSortable(source)) return;
    const updates = computeFlashUpdates(items, String(source.id), source.index);
    if (updates.length > 0) reorder.mutate(updates);
  };

  const markAs = async ([isAvailable, listings]: [boolean, FlashListing[]]) => {
    const flashIds = listings.map((listing) => listing.id);
    await api.flash[isAvailable ? 'markAsAvailable' : 'markAsUnavailable']({ flashIds });
    await updateItems(queryClient, query, (all) =>
      all.map((item) => (flashIds.includes(item.id) ? { ...item, isAvailable } : item)),
    );
  };
  const { mutate: undo } = useMutation({
    mutationFn: markAs,
    meta: { success: 'Undone.', errors: STALE_LIST_MESSAGES },
  });
  const mark = (isAvailable: boolean) => async (listings: FlashListing[]) => {
    const changed = listings.filter((listing) => Boolean(listing.isAvailable) !== isAvailable);
    await markAs([isAvailable, listings]);
    const state = isAvailable ? 'available' : 'taken';
    const text = `${pluralize(listings.length, 'listing')} marked as ${state}.`;
    return { text, undo: changed.length > 0 ? () => undo([!isAvailable, changed]) : undefined };
  };

  return (
    <DragDropProvider
      plugins={(defaults) => [...defaults, announcements]}
      sensors={(defaults) => [...defaults, immediateSensor]}
      onBeforeDragStart={(event) => (isSaving || list.hasNextPage) && event.preventDefault()}
      onDragEnd={move}
    >
      <PictureSection
        title="My flash"
        list={{ ...list, items }}
        Card={SortableCard}
        actions={{ 'Mark as available': mark(true), 'Mark as taken': mark(false) }}
      >
        <p className="hint">
          Drag a picture by its handle
          <span className="keys">, or move it with Space and the arrow keys</span>.{' '}
          <span role="status">{isSaving && 'Saving …'}</span>
        </p>
      </PictureSection>
    </DragDropProvider>
  );
}

/** The card of a listing that can be moved by its handle. */
function SortableCard({ item, index, children }: CardProps<FlashListing> & { index: number }) {
  const { ref, handleRef } = useSortable({ id: item.id, index });
  const label = `Move: ${pictureTitle(item)}`;
  return (
    <ListingCard item={item} ref={ref}>
      {children}
      <button type="button" className="handle" aria-label={label} ref={handleRef} children="⠿" />
    </ListingCard>
  );
}
