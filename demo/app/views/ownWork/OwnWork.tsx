import { PointerSensor } from '@dnd-kit/dom';
import { DragDropProvider, type DragEndEvent } from '@dnd-kit/react';
import { isSortable } from '@dnd-kit/react/sortable';
import { useMutation } from '@tanstack/react-query';
import { applyFlashUpdates, computeFlashUpdates } from '@tattoo-marketplace/client';
import type { FlashListing, GalleryPhoto } from '@tattoo-marketplace/client';
import { reorderFlash, updateItems } from '@tattoo-marketplace/client/react-query';
import { PhotoCard } from '../../components/PictureCard.tsx';
import { PictureSection } from '../../components/PictureSection.tsx';
import type { Account } from '../../../demoData.ts';
import { errorDetails, STALE_LIST_MESSAGES } from '../../errors.ts';
import { pluralize } from '../../format.ts';
import { api, queries, queryClient } from '../../session.ts';
import { useList } from '../../components/lists.tsx';
import { Profile } from '../artist/Artist.tsx';
import { announcements, SortableCard } from './SortableCard.tsx';

/** The signed-in artist's own work, to arrange, mark and remove. It is loaded entirely. */
export const OwnWork = ({ uid, displayName }: Account) => (
  <>
    <Profile id={uid} displayName={displayName} />
    <OwnFlash uid={uid} />
    <OwnGallery uid={uid} />
  </>
);

/** A handle is touched only to drag: there is no need to press it for a while. */
const immediateSensor = PointerSensor.configure({ activationConstraints: () => undefined });

function OwnFlash({ uid: id }: { uid: string }) {
  const query = queries.flash.listByArtist({ id, limit: 50 });
  const list = useList(query, true);
  const reorder = useMutation({
    mutationFn: (updates: ReturnType<typeof computeFlashUpdates>) =>
      reorderFlash(queryClient, query, api, updates),
    meta: { success: 'The new order is saved.', errors: STALE_LIST_MESSAGES },
  });
  const { isPending: isSaving, mutate, variables } = reorder;
  const items = isSaving ? applyFlashUpdates(list.items, variables) : list.items;

  const move = ({ operation: { source }, canceled }: DragEndEvent) => {
    if (canceled || !isSortable(source)) return;
    const updates = computeFlashUpdates(items, String(source.id), source.index);
    if (updates.length > 0) mutate(updates);
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

function OwnGallery({ uid: artistId }: { uid: string }) {
  const query = queries.gallery.listByArtist({ artistId, limit: 50 });
  const remove = async (photos: GalleryPhoto[]) => {
    const count = pluralize(photos.length, 'photo');
    if (!confirm(`Remove ${count} from your gallery? This cannot be undone.`)) return undefined;
    const photoIds = photos.map(({ id }) => id);
    await api.gallery.removePhotos({ photoIds }).catch((error: unknown) => {
      const { code, mayHaveSucceeded } = errorDetails(error);
      // An earlier attempt, whose response was lost, has removed the photo. Of several photos, another device may have
      // removed one, so that none was removed now.
      if (code !== 'not-found' || !mayHaveSucceeded || photos.length > 1) throw error;
    });
    await updateItems(queryClient, query, (all) => all.filter(({ id }) => !photoIds.includes(id)));
    return { text: `${count} removed.` };
  };
  const list = useList(query, true);
  return (
    <PictureSection title="My gallery" list={list} Card={PhotoCard} actions={{ Remove: remove }} />
  );
}
