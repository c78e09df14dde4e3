import * as z from 'zod';
import { defineEndpoint } from '@tattoo-marketplace/endpoints';
import { publicCacheSeconds } from '../parameters.ts';
import { listVerifiedArtists, VerifiedArtist } from './verifiedArtist.ts';

export const list = defineEndpoint({
  method: 'GET',
  path: '/artists',
  access: 'public',
  summary: 'List the verified artists',
  description:
    'All users with `userType` artist and `artistInfo.isVerified` true, by id. No other artists, clients or studios.',
  response: z
    .array(VerifiedArtist)
    .meta({ id: 'ArtistList', description: 'All verified artists.' }),
  cacheSeconds: publicCacheSeconds,
  keepWarm: true,
  coalesceReads: true,
  deadlineSeconds: 30,
  errors: {
    'not-acceptable': 'The list is larger than 32 MiB, and the caller does not accept gzip.',
  },
  example: {
    response: [
      {
        id: 'artist-mara-voss',
        displayName: 'Mara Voss',
        userType: 'artist',
        artistInfo: { username: 'maravoss', tattooStyles: ['blackwork'], isVerified: true },
      },
    ],
  },
  handle: listVerifiedArtists,
});
