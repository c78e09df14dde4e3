/** What of a user is read for the artist list; test/service/contract has what it shows. */
import { listVerifiedArtists, User } from '../../functions/src/artists/user.ts';
import { toFields } from '../../functions/src/firestore/values.ts';
import { found, scriptedFirestore } from '../support/scriptedFirestore.ts';

const firestore = scriptedFirestore();

test('the information of other user types is neither read nor shown', async () => {
  const user = {
    artistInfo: { bio: 'a' },
    clientInfo: { preferredStyles: ['c'] },
    studioInfo: { studioName: 's' },
  };
  firestore.play(found({ 'users/u': toFields(user) }));

  const parts = await firestore.within(() => Array.fromAsync(listVerifiedArtists()));

  const [artist] = parts.flat().map((each) => each.jsonFor(User));
  expect(artist).toContain('"artistInfo":{"bio":"a"}');
  expect(artist).not.toMatch(/clientInfo|studioInfo/);
  expect(JSON.stringify(firestore.seen)).not.toMatch(/clientInfo|studioInfo/);
});
