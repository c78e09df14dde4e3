/** The names that the processes of the benchmark share. */
import { storedArtist } from '../../dev/shared/factories.ts';

export const PROJECT = 'demo-bench';
/** The owner of the documents. */
export const OWNER = 'artist-alice';
/** The owner of listings of 50 kB. */
export const LARGE_OWNER = 'artist-large';
/** An artist with any number has the owner's listings, so that each can be another cache key. */
export const ALIAS = /\balias-\d+/g;

/** The project with this number of artists. */
export function projectWithArtists(count: number): string {
  return `artists-${count}`;
}

/** The artist that all of those are made from: each gets its own number, and text that is hard to compress. */
export const ARTIST = 'users/artist-NUMBER';
export const ARTIST_DATA = storedArtist({
  ...{ firstName: 'Alice OWN', email: 'OWN@example.com' },
  photoURL: 'https://images.example.com/users/OWN.jpg',
});
