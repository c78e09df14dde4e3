import { readInBatches } from '@tattoo-marketplace/collections';
import { ARTIST_INFO_DESCRIPTION, ArtistInfo, User, users } from '../users.ts';

/** A verified artist, as the list has them: with the fields by which it is filtered. */
export const VerifiedArtist = User.extend({
  artistInfo: ArtistInfo.required({ isVerified: true })
    .optional()
    .describe(ARTIST_INFO_DESCRIPTION),
})
  .required({ userType: true, artistInfo: true })
  .meta({ id: 'User', description: 'A user of the service.' });

const verifiedArtists = users.defineEntireList({
  // The info blocks of other user types are not even read.
  item: VerifiedArtist.omit({ clientInfo: true, studioInfo: true }),
  where: { userType: 'artist', 'artistInfo.isVerified': true },
});

/** All verified artists, by document id, in batches. */
export function listVerifiedArtists() {
  return readInBatches(verifiedArtists);
}
