/** The typed client like in an app: every operation of the service, and paging. */
import { createMarketplaceClient, firebaseToken, pages } from '@tattoo-marketplace/client';
import { signedIn, type SignedIn } from '../support/accounts.ts';
import { deployedEndpoints } from '../support/deployMap.ts';
import { exampleInput, storeExampleWorld } from '../support/exampleRequests.ts';
import { storedListing } from '../support/factories.ts';
import { freshId, stackStore } from '../support/firestore.ts';
import { testStack } from '../support/stack.ts';

const { baseAddress: baseUrl } = testStack();

/** An operation of the client: it takes the path and query parameters and the fields of the body in one object. */
type Operation = (input: object) => Promise<unknown>;

/** A client of a signed-in user, with a token as `firebase/auth` provides it. */
function clientOf({ token }: SignedIn) {
  const auth = { currentUser: { getIdToken: () => Promise.resolve(token) } };
  return createMarketplaceClient({ baseUrl, token: firebaseToken(auth) });
}

describe('the client', () => {
  const store = stackStore();

  async function storeListings(artistId: string, count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => freshId('flash'));
    await store.setAll(ids.map((id, order) => [`flash/${id}`, storedListing({ artistId, order })]));
    return ids;
  }

  test.each(deployedEndpoints.map((deployed) => [deployed.functionId, deployed] as const))(
    'calls %s',
    async (functionId, deployed) => {
      const alice = await signedIn();
      const world = { uid: alice.uid, prefix: freshId('of-alice') };
      await storeExampleWorld(store, world);
      const groups = clientOf(alice) as unknown as Record<string, Record<string, Operation>>;

      const response = await groups[deployed.group]?.[deployed.name]?.(
        exampleInput(functionId, world),
      );

      expect(deployed.endpoint.declaration.response.parse(response)).toEqual(response);
    },
  );

  test('goes on with a list whose last element is removed between two pages', async () => {
    const alice = await signedIn();
    const ids = await storeListings(alice.uid, 3);
    const api = createMarketplaceClient({ baseUrl });
    const listings = pages(api.flash.listByArtist, { id: alice.uid, limit: 1 });
    const seen: string[] = [];

    for await (const { flash } of listings) {
      for (const { id } of flash) {
        seen.push(id);
        await store.delete(`flash/${id}`);
      }
    }

    expect(seen).toEqual(ids);
  });
});
