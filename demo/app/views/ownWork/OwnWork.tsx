import { DragDropProvider, type DragEndEvent } from '@dnd-kit/react';
import { isSortable, useSortable } from '@dnd-kit/react/sortable';
import { startTransition, useMemo } from 'react';
import type { FlashListing } from '@tattoo-marketplace/client';
import { STALE_LIST_MESSAGES } from '../../api/errorMessages.ts';
import { useArtistFlash } from '../../api/useArtistFlash.ts';
import { useArtistGallery } from '../../api/useArtistGallery.ts';
import { useMarkFlash } from '../../api/useMarkFlash.ts';
import { useRemovePhotos } from '../../api/useRemovePhotos.ts';
import { useReorder } from '../../api/useReorder.ts';
import { useRun } from '../../components/notices.tsx';
import {
  ListingCard,
  PhotoCard,
  pictureTitle,
  type CardProps,
} from '../../components/PictureCard.tsx';
import { SelectableList } from '../../components/SelectableList.tsx';
import type { Account } from '../../demoData.ts';
import { pluralize } from '../../format.ts';
import { Profile, Section } from '../artist/Artist.tsx';
import { announceMoves, immediateSensor } from './sorting.ts';

/** The signed-in artist's own work, to arrange, mark and remove. It is loaded entirely. */
export const OwnWork = ({ uid, displayName }: Account) => (
  <>
    <Profile id={uid} displayName={displayName} />
    <OwnFlash uid={uid} />
    <OwnGallery uid={uid} />
  </>
);

function OwnFlash({ uid }: { uid: string }) {
  const list = useArtistFlash(uid, { all: true });
  const { items, isSaving, reorder } = useReorder(list);
  const markFlash = useMarkFlash(list);
  const run = useRun();
  const announcements = useMemo(() => announceMoves(items.length), [items.length]);

  const move = ({ operation: { source }, canceled }: DragEndEvent) => {
    if (canceled || !isSortable(source) || source.initialIndex === source.index) return;
    const save = () => reorder(source.initialIndex, source.index);
    startTransition(async () => {
      await run(save, 'The new order is saved.', STALE_LIST_MESSAGES);
    });
  };

  const mark = (isAvailable: boolean) => async (ids: string[]) => {
    const isChanged = (listing: FlashListing) => Boolean(listing.isAvailable) !== isAvailable;
    const changed = items.filter(isChanged).flatMap(({ id }) => (ids.includes(id) ? id : []));
    await markFlash(ids, isAvailable);
    const undo = () => run(() => markFlash(changed, !isAvailable), 'Undone.', STALE_LIST_MESSAGES);
    const state = isAvailable ? 'available' : 'taken';
    const text = `${pluralize(ids.length, 'listing')} marked as ${state}.`;
    return { text, undo: changed.length > 0 ? undo : undefined };
  };

  return (
    <Section title="My flash" count={items.length}>
      <p className="hint">
        Drag a picture by its handle
        <span className="keys">, or move it with Space and the arrow keys</span>.{' '}
        <span role="status">{isSaving && 'Saving …'}</span>
      </p>
      <DragDropProvider
        plugins={(defaults) => [...defaults, announcements]}
        sensors={(defaults) => [...defaults, immediateSensor]}
        onBeforeDragStart={(event) => isSaving && event.preventDefault()}
        onDragEnd={move}
      >
        <SelectableList
          items={items}
          Card={SortableCard}
          actions={{ 'Mark as available': mark(true), 'Mark as taken': mark(false) }}
        />
      </DragDropProvider>
    </Section>
  );
}

type SortableCardProps = CardProps<FlashListing> & { index: number };

function SortableCard({ item, index, children }: SortableCardProps) {
  const { ref, handleRef } = useSortable({ id: item.id, index });
  const label = `Move: ${pictureTitle(item)}`;
  return (
    <ListingCard item={item} ref={ref}>
      {children}
      <button type="button" className="handle" aria-label={label} ref={handleRef} children="⠿" />
    </ListingCard>
  );
}

function OwnGallery({ uid }: { uid: string }) {
  const list = useArtistGallery(uid, { all: true });
  const removePhotos = useRemovePhotos(list);
  const remove = async (ids: string[]) => {
    const photos = pluralize(ids.length, 'photo');
    if (!confirm(`Remove ${photos} from your gallery? This cannot be undone.`)) return undefined;
    await removePhotos(ids);
    return { text: `${photos} removed.` };
  };
  return (
    <Section title="My gallery" count={list.items.length}>
      <SelectableList items={list.items} Card={PhotoCard} actions={{ Remove: remove }} />
    </Section>
  );
}
