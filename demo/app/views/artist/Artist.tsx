import { useSuspenseQuery } from '@tanstack/react-query';
import type { GalleryPhoto } from '@tattoo-marketplace/client';
import { updateItems } from '@tattoo-marketplace/client/react-query';
import { ListingCard, PhotoCard } from '../../components/PictureCard.tsx';
import { PictureSection } from '../../components/PictureSection.tsx';
import { useList } from '../../components/lists.tsx';
import { errorDetails } from '../../errors.ts';
import { formatName, pluralize } from '../../format.ts';
import { api, demo, queries, queryClient } from '../../session.ts';
import { OwnFlash } from './OwnFlash.tsx';

export type ArtistProps = { id: string; isOwn: boolean };

/** An artist's flash and gallery. The artist can arrange, mark and remove pictures, and sees all of them at once. */
export const Artist = (props: ArtistProps) => (
  <>
    <Profile {...props} />
    {props.isOwn ? <OwnFlash {...props} /> : <Flash {...props} />}
    <Gallery {...props} />
  </>
);

/** The heading of an artist's page. An artist who is not verified only has a name. */
function Profile({ id }: ArtistProps) {
  const { data: artists } = useSuspenseQuery(queries.artists.list());
  const artist = artists.find((candidate) => candidate.id === id);
  const { photoURL, artistInfo } = artist ?? {};
  return (
    <div className="row profile">
      {photoURL && <img src={photoURL} alt="" width={120} height={120} />}
      <div>
        <h1>{artist ? formatName(artist) : (demo.names[id] ?? 'Artist')}</h1>
        {artistInfo?.username && <p className="place">{`@${artistInfo.username}`}</p>}
        <p>{artistInfo?.bio}</p>
      </div>
    </div>
  );
}

function Flash({ id }: ArtistProps) {
  const list = useList(queries.flash.listByArtist({ id, limit: 24 }));
  return <PictureSection title="Flash" list={list} Card={ListingCard} />;
}

/** An artist's photos, which the artist can remove. */
function Gallery({ id: artistId, isOwn }: ArtistProps) {
  const query = queries.gallery.listByArtist({ artistId, limit: isOwn ? 50 : 24 });
  const list = useList(query, isOwn);
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
  const own = isOwn && { title: 'My gallery', actions: { Remove: remove } };
  return <PictureSection title="Gallery" list={list} Card={PhotoCard} {...own} />;
}
