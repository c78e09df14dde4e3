/** The names that the processes of the benchmark share. */

export const PROJECT = 'demo-bench';
/** The owner of the documents. */
export const OWNER = 'artist-alice';
/** The owner of listings of 50 kB. */
export const LARGE_OWNER = 'artist-large';
/** The project with this number of artists. */
export const projectWithArtists = (count: number) => `artists-${count}`;
/** The document that these artists are made from: each gets its own number, and random characters for `OWN`. */
export const ARTIST = 'users/artist-NUMBER';
