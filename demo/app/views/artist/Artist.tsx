import { useSuspenseQuery } from '@tanstack/react-query';
import { ListingCard, PhotoCard } from '../../components/PictureCard.tsx';
import { PictureSection } from '../../components/PictureSection.tsx';
import { formatName } from '../../format.ts';
import { queries } from '../../session.ts';
import { useList } from '../../components/lists.tsx';

type ArtistProps = { id: string };

/** An artist's flash and gallery. */
export const Artist = ({ id }: ArtistProps) => (
  <>
    <Profile id={id} displayName="Artist" />
    <Flash id={id} />
    <Gallery id={id} />
  </>
);

/** The heading of an artist's page. An artist who is not verified only has a name. */
export function Profile({ id, displayName }: ArtistProps & { displayName: string }) {
  const { data: artists } = useSuspenseQuery(queries.artists.list());
  const artist = artists.find((candidate) => candidate.id === id);
  const { photoURL, artistInfo } = artist ?? {};
  return (
    <div className="row profile">
      {photoURL && <img src={photoURL} alt="" width={120} height={120} />}
      <div>
        <h1>{formatName(artist ?? { displayName })}</h1>
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

function Gallery({ id: artistId }: ArtistProps) {
  const list = useList(queries.gallery.listByArtist({ artistId, limit: 24 }));
  return <PictureSection title="Gallery" list={list} Card={PhotoCard} />;
}
