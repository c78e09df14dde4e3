import { signedIn } from '../support/accounts.ts';
import { mark, marksListings } from '../support/marking.ts';
import { storedListing } from '../support/factories.ts';
import { ownedDocuments } from '../support/ownedDocuments.ts';

const PATH = '/flash/mark-as-available';

describe('PUT /flash/mark-as-available', () => {
  marksListings(PATH, true);

  const { storedFor, data } = ownedDocuments({ collection: 'flash', stored: storedListing });

  test('concurrently with mark-as-unavailable leaves one consistent state', async () => {
    const { alice, ids } = await storedFor(30);
    const paths = [PATH, '/flash/mark-as-unavailable'];

    const responses = await Promise.all(paths.map((path) => mark(path, alice, ids)));

    const states = (await data(ids)).map((listing) => listing?.isAvailable as boolean);
    expect(responses.map(({ status, body }) => ({ status, body }))).toEqual(
      paths.map(() => ({ status: 200, body: { success: true, updatedCount: 30 } })),
    );
    expect(new Set(states).size).toBe(1);
  });

  test.each([
    ['text', 'a', 'flashIds must be an array.'],
    ['null', null, 'flashIds must be an array.'],
    ['a number among them', ['a', 7], 'flashIds[1] must be a string.'],
    ['a list among them', [['a']], 'flashIds[0] must be a string.'],
  ])('refuses %s for ids', async (_what, flashIds, message) => {
    expect(await mark(PATH, await signedIn(), flashIds)).toMatchObject({
      status: 400,
      body: { message },
    });
  });
});
