/** The names that the processes of the benchmark share. */
import { storedArtist } from '../../dev/shared/factories.ts';

export const PROJECT = 'demo-bench';
/** The owner of the documents. */
export const OWNER = 'artist-alice';
/** The owner of listings of 50 kB. */
export const LARGE_OWNER = 'artist-large';

/** What is in the users of a list of artists. */
export type ArtistKind = keyof typeof ARTISTS;

/** The project with this number of artists of a kind. */
export function projectWithArtists(count: number, kind: ArtistKind = 'usual'): string {
  return `artists-${count}-${kind}`;
}

/** The project with the artist that all artists of a kind are made from. */
export function projectOf(kind: string): string {
  return `${PROJECT}-${kind}`;
}

/** The artist that all others are made from: each gets its own number, and text that is hard to compress. */
export const ARTIST = 'users/artist-NUMBER';

const USUAL = {
  ...{ firstName: 'Alice OWN', email: 'OWN@example.com' },
  photoURL: 'https://images.example.com/users/OWN.jpg',
};
const { artistInfo } = storedArtist({}) as { artistInfo: object };
const TEXT = 'Fine lines, bold colours. '.repeat(1600);

/** 40 kB in a field that no response has, and in one that gzip shrinks. */
export const ARTISTS = {
  usual: storedArtist(USUAL),
  foreign: storedArtist({ ...USUAL, artistInfo: { ...artistInfo, cache: TEXT } }),
  text: storedArtist({ ...USUAL, artistInfo: { ...artistInfo, bio: TEXT } }),
};
