import type { FlashListing, GalleryPhoto } from '@tattoo-marketplace/client';
import { STALE_LIST_MESSAGES } from '../../api/errorMessages.ts';
import { useArtistFlash } from '../../api/useArtistFlash.ts';
import { useArtistGallery } from '../../api/useArtistGallery.ts';
import { useArtists } from '../../api/useArtists.ts';
import { useMarkFlash } from '../../api/useMarkFlash.ts';
import type { PagedList } from '../../api/usePagedList.ts';
import { useRemovePhotos } from '../../api/useRemovePhotos.ts';
import { useReorder } from '../../api/useReorder.ts';
import { Section } from '../../components/controls.tsx';
import { Page } from '../../components/Page.tsx';
import { PhotoCard } from '../../components/PictureCard.tsx';
import { SelectableList } from '../../components/SelectableList.tsx';
import { pluralize } from '../../format.ts';
import { useAccount, useSession } from '../../session.ts';
import { Profile } from '../artist/Artist.tsx';
import { Reorderable, ReorderableCard } from './Reorderable.tsx';

/** The signed-in artist's own work, to arrange, mark and remove. It is loaded entirely. */
export function OwnWork() {
  const { uid, displayName } = useAccount();
  const artists = useArtists();
  const flash = useArtistFlash(uid, { all: true });
  const gallery = useArtistGallery(uid, { all: true });
  const artist = artists.items.find(({ id }) => id === uid) ?? { displayName };
  return (
    <Page data={[artists, flash, gallery]}>
      <Profile {...artist} />
      <OwnFlash {...flash} />
      <OwnGallery {...gallery} />
    </Page>
  );
}

function OwnFlash(list: PagedList<FlashListing>) {
  const { items } = list;
  const { isSaving, reorder } = useReorder(list);
  const markFlash = useMarkFlash(list);
  const { run } = useSession();

  const move = (from: number, to: number) =>
    run(() => reorder(from, to), 'The new order is saved.', STALE_LIST_MESSAGES);

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
      <Reorderable count={items.length} isDisabled={isSaving} onMove={move}>
        <SelectableList
          items={items}
          card={(listing, checkbox, index) => (
            <ReorderableCard key={listing.id} listing={listing} checkbox={checkbox} index={index} />
          )}
          actions={{ 'Mark as available': mark(true), 'Mark as taken': mark(false) }}
        />
      </Reorderable>
    </Section>
  );
}

function OwnGallery(list: PagedList<GalleryPhoto>) {
  const { items } = list;
  const removePhotos = useRemovePhotos(list);
  const remove = async (ids: string[]) => {
    const photos = pluralize(ids.length, 'photo');
    if (!confirm(`Remove ${photos} from your gallery? This cannot be undone.`)) return undefined;
    await removePhotos(ids);
    return { text: `${photos} removed.` };
  };
  return (
    <Section title="My gallery" count={items.length}>
      <SelectableList
        items={items}
        card={(photo, checkbox) => <PhotoCard key={photo.id} photo={photo} children={checkbox} />}
        actions={{ Remove: remove }}
      />
    </Section>
  );
}
