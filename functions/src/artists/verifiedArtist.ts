import * as z from 'zod';
import { readInBatches } from '@tattoo-marketplace/collections';
import { publicContact } from '../parameters.ts';
import {
  ARTIST_INFO_DESCRIPTION,
  ArtistInfo,
  createPreferencesSchema,
  PaymentProvider,
  User,
  users,
} from '../users.ts';

/** A verified artist as stored. The fields by which the list is filtered are required. */
const StoredArtist = User.extend({
  artistInfo: ArtistInfo.required({ isVerified: true })
    .optional()
    .describe(ARTIST_INFO_DESCRIPTION),
}).required({ userType: true, artistInfo: true });

const accountId = z
  .string()
  .optional()
  .describe('The id of the account at the provider, if the deployment publishes it.');

/** A verified artist in the response. */
export const VerifiedArtist = StoredArtist.extend({
  preferences: createPreferencesSchema(PaymentProvider.extend({ accountId })),
}).meta({ id: 'User', description: 'A user of the service.' });

const where = { userType: 'artist', 'artistInfo.isVerified': true };

const withContact = users.defineEntireList({
  // The fields of other user types are not read.
  item: StoredArtist.omit({ clientInfo: true, studioInfo: true }),
  where,
});

const withoutContact = users.defineEntireList({
  item: StoredArtist.omit({
    clientInfo: true,
    studioInfo: true,
    email: true,
    phoneNumber: true,
  }).extend({ preferences: createPreferencesSchema(PaymentProvider.omit({ accountId: true })) }),
  where,
});

/** Lists all verified artists by document ID, in batches. */
export function listVerifiedArtists() {
  return readInBatches(publicContact.value() ? withContact : withoutContact);
}
