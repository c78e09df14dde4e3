import { useArtistFlash, useArtistGallery, useArtists } from '#hooks/lists.ts';
import { ListingCard, PhotoCard } from '../../components/PictureCard.tsx';
import { PictureSection } from '../../components/PictureSection.tsx';
import { formatName } from '../../format.ts';

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
  const artist = useArtists().find((candidate) => candidate.id === id);
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

const Flash = ({ id }: ArtistProps) => (
  <PictureSection title="Flash" list={useArtistFlash(id)} Card={ListingCard} />
);

const Gallery = ({ id }: ArtistProps) => (
  <PictureSection title="Gallery" list={useArtistGallery(id)} Card={PhotoCard} />
);
