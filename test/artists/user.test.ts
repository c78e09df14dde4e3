/** How the artist list is read; test/service/contract has what it shows. */
import { listVerifiedArtists, User } from '../../functions/src/artists/user.ts';
import { toFields } from '../../functions/src/firestore/values.ts';
import { found, scriptedFirestore } from '../support/scriptedFirestore.ts';

const firestore = scriptedFirestore();

/** The list, of these stored users. */
async function listed(...users: readonly object[]): Promise<User[]> {
  firestore.play(
    found(Object.fromEntries(users.map((user, index) => [`users/u${index}`, toFields(user)]))),
  );
  const parts = await firestore.within(() => Array.fromAsync(listVerifiedArtists()));
  return parts.flat().map((user) => JSON.parse(user.jsonFor(User)) as User);
}

test('has the verified artists in parts of 1500', async () => {
  await listed();

  const equal = (fieldPath: string, value: object) => ({
    fieldFilter: { field: { fieldPath }, op: 'EQUAL', value },
  });
  expect(firestore.seen).toMatchObject([
    {
      body: {
        structuredQuery: {
          from: [{ collectionId: 'users' }],
          where: {
            compositeFilter: {
              op: 'AND',
              filters: [
                equal('userType', { stringValue: 'artist' }),
                equal('artistInfo.isVerified', { booleanValue: true }),
              ],
            },
          },
          orderBy: [{ field: { fieldPath: '__name__' }, direction: 'ASCENDING' }],
          limit: 1500,
        },
      },
    },
  ]);
});

test('neither reads nor shows the information of other user types', async () => {
  const [artist] = await listed({
    artistInfo: { bio: 'a' },
    clientInfo: { preferredStyles: ['c'] },
    studioInfo: { studioName: 's' },
  });

  expect(artist).toMatchObject({ id: 'u0', artistInfo: { bio: 'a' } });
  expect(artist).not.toHaveProperty('clientInfo');
  expect(artist).not.toHaveProperty('studioInfo');
  expect(JSON.stringify(firestore.seen)).not.toMatch(/clientInfo|studioInfo/);
});
