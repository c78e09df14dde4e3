import { useRef, type ReactNode } from 'react';
import type { User } from '@tattoo-marketplace/client';
import { useArtistFlash } from '../../api/useArtistFlash.ts';
import { useArtistGallery } from '../../api/useArtistGallery.ts';
import { useArtists } from '../../api/useArtists.ts';
import type { PagedList } from '../../api/usePagedList.ts';
import { Pictures, Section } from '../../components/controls.tsx';
import { LoadMoreButton } from '../../components/LoadMoreButton.tsx';
import { Page } from '../../components/Page.tsx';
import { ListingCard, PhotoCard } from '../../components/PictureCard.tsx';
import { formatName } from '../../format.ts';
import { useSession } from '../../session.ts';
import { OwnWork } from '../ownWork/OwnWork.tsx';

/** An artist's flash and gallery. Artists can change their own. */
export function Artist({ id }: { id: string }) {
  const { account } = useSession();
  return account?.uid === id ? <OwnWork /> : <OthersWork id={id} />;
}

function OthersWork({ id }: { id: string }) {
  const artists = useArtists();
  const flash = useArtistFlash(id);
  const gallery = useArtistGallery(id);
  const artist = artists.items.find((each) => each.id === id) ?? { displayName: 'Artist' };
  const listings = flash.items.map((listing) => <ListingCard key={listing.id} listing={listing} />);
  const photos = gallery.items.map((photo) => <PhotoCard key={photo.id} photo={photo} />);
  return (
    <Page data={[artists, flash, gallery]}>
      <Profile {...artist} />
      <PagedSection title="Flash" list={flash} total={flash.page?.total} cards={listings} />
      <PagedSection title="Gallery" list={gallery} total={gallery.page?.total} cards={photos} />
    </Page>
  );
}

/** The heading of an artist's page. An artist who is not verified only has a name. */
export function Profile(user: Partial<User>) {
  const { photoURL, artistInfo } = user;
  return (
    <div className="row profile">
      {photoURL && <img src={photoURL} alt="" width={120} height={120} />}
      <div>
        <h1>{formatName(user)}</h1>
        {artistInfo?.username && <p className="place">{`@${artistInfo.username}`}</p>}
        <p>{artistInfo?.bio}</p>
      </div>
    </div>
  );
}

interface PagedSectionProps {
  title: string;
  list: Omit<PagedList<unknown>, 'setItems'>;
  total: number | undefined;
  cards: ReactNode[];
}

function PagedSection({ title, list, total, cards }: PagedSectionProps) {
  const container = useRef<HTMLUListElement>(null);
  return (
    <Section title={title} count={total}>
      <Pictures cards={cards} ref={container} />
      <LoadMoreButton label="Show more" list={list} container={container} />
    </Section>
  );
}
