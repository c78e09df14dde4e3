import { PointerSensor } from '@dnd-kit/dom';
import { DragDropProvider, type DragEndEvent } from '@dnd-kit/react';
import { isSortable } from '@dnd-kit/react/sortable';
import { useMemo, useState } from 'react';
import type { FlashListing, GalleryPhoto } from '@tattoo-marketplace/client';
import { useMarkFlash, useRemovePhotos, useReorder } from '#hooks/changes.ts';
import { STALE_LIST_MESSAGES } from '#hooks/errorMessages.ts';
import { useArtistFlash, useArtistGallery } from '#hooks/lists.ts';
import { run } from '../../components/notices.tsx';
import { PhotoCard } from '../../components/PictureCard.tsx';
import { PictureSection } from '../../components/PictureSection.tsx';
import type { Account } from '../../../demoData.ts';
import { pluralize } from '../../format.ts';
import { Profile } from '../artist/Artist.tsx';
import { announceMoves, SortableCard } from './SortableCard.tsx';

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

function OwnFlash({ uid }: { uid: string }) {
  const list = useArtistFlash(uid, { all: true });
  const count = list.items.length;
  const reorder = useReorder(list);
  const [isSaving, setSaving] = useState(false);
  const markFlash = useMarkFlash(list);
  const announcements = useMemo(() => announceMoves(count), [count]);

  const move = async ({ operation: { source }, canceled }: DragEndEvent) => {
    if (canceled || !isSortable(source) || source.initialIndex === source.index) return;
    const { initialIndex, index } = source;
    setSaving(true);
    await run(() => reorder(initialIndex, index), 'The new order is saved.', STALE_LIST_MESSAGES);
    setSaving(false);
  };

  const mark = (isAvailable: boolean) => async (listings: FlashListing[]) => {
    const changed = listings.filter((listing) => Boolean(listing.isAvailable) !== isAvailable);
    await markFlash(listings, isAvailable);
    const undo = () => run(() => markFlash(changed, !isAvailable), 'Undone.', STALE_LIST_MESSAGES);
    const state = isAvailable ? 'available' : 'taken';
    const text = `${pluralize(listings.length, 'listing')} marked as ${state}.`;
    return { text, undo: changed.length > 0 ? undo : undefined };
  };

  return (
    <DragDropProvider
      plugins={(defaults) => [...defaults, announcements]}
      sensors={(defaults) => [...defaults, immediateSensor]}
      onBeforeDragStart={(event) => isSaving && event.preventDefault()}
      onDragEnd={move}
    >
      <PictureSection
        title="My flash"
        list={list}
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

function OwnGallery({ uid }: { uid: string }) {
  const list = useArtistGallery(uid, { all: true });
  const removePhotos = useRemovePhotos(list);
  const remove = async (photos: GalleryPhoto[]) => {
    const count = pluralize(photos.length, 'photo');
    if (!confirm(`Remove ${count} from your gallery? This cannot be undone.`)) return undefined;
    await removePhotos(photos);
    return { text: `${count} removed.` };
  };
  return (
    <PictureSection title="My gallery" list={list} Card={PhotoCard} actions={{ Remove: remove }} />
  );
}
