import { mark, marksListings } from '../support/marking.ts';
import { storedListing } from '../support/factories.ts';
import { ownedDocuments } from '../support/ownedDocuments.ts';

describe('PUT /flash/mark-as-available', () => {
  marksListings('/flash/mark-as-available', true);

  const { storedFor, data } = ownedDocuments({ collection: 'flash', stored: storedListing });

  test('concurrently with mark-as-unavailable leaves one consistent state', async () => {
    const { alice, ids } = await storedFor(30);
    const paths = ['/flash/mark-as-available', '/flash/mark-as-unavailable'];

    const responses = await Promise.all(paths.map((path) => mark(path, alice, ids)));

    const states = (await data(ids)).map((listing) => listing?.isAvailable as boolean);
    expect(responses.map(({ status, body }) => ({ status, body }))).toEqual(
      paths.map(() => ({ status: 200, body: { success: true, updatedCount: 30 } })),
    );
    expect(new Set(states).size).toBe(1);
  });
});
