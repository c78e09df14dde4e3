/** The typed client like in an app: every operation of the service, paging, and errors. */
import {
  createMarketplaceClient,
  firebaseToken,
  MarketplaceError,
  pages,
} from '@tattoo-marketplace/client';
import { signedIn, type SignedIn } from '../support/accounts.ts';
import { deployedEndpoints } from '../support/deployMap.ts';
import { storeExampleWorld } from '../support/exampleRequests.ts';
import { storedListing } from '../support/factories.ts';
import { freshId, stackStore } from '../support/firestore.ts';
import { testStack } from '../support/stack.ts';

const { baseAddress: baseUrl } = testStack();

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

  test('calls every operation of the service', async () => {
    const alice = await signedIn();
    const artistId = alice.uid;
    const prefix = freshId('of-alice');
    const id = `${prefix}-0`;
    await storeExampleWorld(store, { uid: artistId, prefix });
    const api = clientOf(alice);

    const answers = [
      await api.artists.list(),
      await api.flash.listByArtist({ id: artistId }),
      await api.gallery.listByArtist({ artistId, limit: 5 }),
      await api.conversations.getMessages({ conversationId: id }),
      await api.notifications.resetNewNotifications(),
      await api.flash.reorder({ flashUpdates: [{ id, order: 7 }] }),
      await api.flash.markAsAvailable({ flashIds: [id, `${prefix}-1`] }),
      await api.flash.markAsUnavailable({ flashIds: [id] }),
      await api.gallery.removePhotos({ photoIds: [id] }),
      await api.bookings.deleteSession({ bookingId: id, sessionNumber: 2 }),
      await api.unavailableEvents.editUnavailableEvent({
        ...{ id, title: 'Holiday', date: 1, startTime: 2, endTime: 3 },
      }),
      await api.availability.updateAvailability({
        artistId,
        availabilityId: id,
        isActive: true,
        weeklySlots: { Monday: [] },
        dateRangeType: 'rolling',
        rollingDays: '30',
        effectiveFrom: 1,
        createdAt: 1,
        updatedAt: 1,
      }),
    ];

    expect(answers).toHaveLength(deployedEndpoints.length);
    const ids = [0, 1, 2].map((index) => ({ id: `${prefix}-${index}` }));
    expect(answers[1]).toMatchObject({ flash: ids, total: 3 });
    expect(answers[3]).toMatchObject({ messages: ids.toReversed(), hasMore: false });
  });

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

  test('reports the error message and the request id', async () => {
    const api = createMarketplaceClient({ baseUrl, token: firebaseToken({ currentUser: null }) });

    const refusal = api.conversations.getMessages({ conversationId: 'a' });

    await expect(refusal).rejects.toThrow(MarketplaceError);
    await expect(refusal).rejects.toMatchObject({
      status: 401,
      message: expect.stringMatching(/^Sign in/) as unknown,
      requestId: expect.any(String) as unknown,
      code: 'unauthenticated',
      attempts: 1,
    });
  });
});
