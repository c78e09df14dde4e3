import type { ComponentType, ReactNode } from 'react';
import { useArtistFlash } from '../../api/useArtistFlash.ts';
import { useArtistGallery } from '../../api/useArtistGallery.ts';
import { useArtists } from '../../api/useArtists.ts';
import type { PagedList } from '../../api/usePagedList.ts';
import { List } from '../../components/controls.tsx';
import { LoadMoreButton } from '../../components/LoadMoreButton.tsx';
import { ListingCard, PhotoCard, type CardProps } from '../../components/PictureCard.tsx';
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
  const artist = useArtists().find((each) => each.id === id);
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
  <PagedSection title="Flash" list={useArtistFlash(id)} Card={ListingCard} />
);

const Gallery = ({ id }: ArtistProps) => (
  <PagedSection title="Gallery" list={useArtistGallery(id)} Card={PhotoCard} />
);

interface PagedSectionProps<Item> {
  title: string;
  list: PagedList<Item>;
  Card: ComponentType<CardProps<Item>>;
}

function PagedSection<Item extends { readonly id: string }>(props: PagedSectionProps<Item>) {
  const { title, list, Card } = props;
  return (
    <Section title={title} count={list.total}>
      <List className="pictures" hint="Nothing here yet.">
        {list.items.map((item) => (
          <Card key={item.id} item={item} />
        ))}
      </List>
      <LoadMoreButton label="Show more" list={list} />
    </Section>
  );
}

type SectionProps = { title: string; count?: number | undefined; children: ReactNode };

export const Section = ({ title, count, children }: SectionProps) => (
  <section>
    <h2>
      {title} <span className="count">{count}</span>
    </h2>
    {children}
  </section>
);
