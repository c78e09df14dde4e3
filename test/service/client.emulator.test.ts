/** The typed client like in an app: every operation of the service, paging, and errors. */
import {
  createMarketplaceClient,
  firebaseToken,
  MarketplaceError,
  pages,
} from '@tattoo-marketplace/client';
import { signedIn, type SignedIn } from '../support/accounts.ts';
import { deployedEndpoints } from '../support/deployMap.ts';
import {
  storedArtist,
  storedAvailability,
  storedBooking,
  storedEvent,
  storedListing,
  storedMessage,
  storedPhoto,
} from '../support/factories.ts';
import { freshId, stackFirestore, store } from '../support/firestore.ts';
import { testStack } from '../support/stack.ts';

const { baseAddress: baseUrl } = testStack();

/** A client of a signed-in user, with a token as `firebase/auth` provides it. */
function clientOf({ token }: SignedIn) {
  const auth = { currentUser: { getIdToken: () => Promise.resolve(token) } };
  return createMarketplaceClient({ baseUrl, token: firebaseToken(auth) });
}

describe('the client', () => {
  const firestore = stackFirestore();

  async function storeListings(artistId: string, count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => freshId('flash'));
    const documents = ids.map((id, order) => [id, storedListing({ artistId, order })] as const);
    await store(firestore, 'flash', Object.fromEntries(documents));
    return ids;
  }

  test('calls every operation of the service', async () => {
    const alice = await signedIn();
    const artistId = alice.uid;
    const [first = '', second = ''] = await storeListings(artistId, 2);
    const id = freshId('of-alice');
    const own = { artistId };
    // A client account, because a new artist would appear in the artist list of other tests.
    await store(firestore, 'users', { [artistId]: storedArtist({ userType: 'client' }) });
    await store(firestore, 'gallery', { [id]: storedPhoto(own) });
    await store(firestore, 'availability', { [id]: storedAvailability(own) });
    await store(firestore, 'unavailableEvents', { [id]: storedEvent(own) });
    await store(firestore, 'bookings', { [id]: storedBooking(own) });
    await store(firestore, 'conversations', { [id]: { participantIds: [artistId] } });
    await store(firestore, `conversations/${id}/messages`, { one: storedMessage() });
    const api = clientOf(alice);

    const responses = [
      await api.artists.list(),
      await api.flash.listByArtist({ id: artistId }),
      await api.gallery.listByArtist({ artistId, limit: 5 }),
      await api.conversations.getMessages({ conversationId: id }),
      await api.notifications.resetNewNotifications(),
      await api.flash.reorder({ flashUpdates: [{ id: first, order: 7 }] }),
      await api.flash.markAsAvailable({ flashIds: [first, second] }),
      await api.flash.markAsUnavailable({ flashIds: [second] }),
      await api.gallery.removePhotos({ photoIds: [id] }),
      await api.bookings.deleteSession({ bookingId: id, sessionNumber: 2 }),
      await api.unavailableEvents.editUnavailableEvent({
        ...{ id, title: 'Holiday', date: 1, startTime: 2, endTime: 3 },
      }),
      await api.availability.updateAvailability({
        ...own,
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

    expect(responses).toHaveLength(deployedEndpoints.length);
    expect(responses[1]).toMatchObject({ flash: [{ id: first }, { id: second }], total: 2 });
    expect(responses[3]).toMatchObject({ messages: [{ id: 'one' }], hasMore: false });
  });

  test('reads all pages of a list', async () => {
    const alice = await signedIn();
    const ids = await storeListings(alice.uid, 7);
    const api = createMarketplaceClient({ baseUrl });
    const seen: string[][] = [];

    for await (const { flash } of pages(api.flash.listByArtist, { id: alice.uid, limit: 3 })) {
      seen.push(flash.map(({ id }) => id));
    }

    expect(seen).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)]);
  });

  test('reports an invalid cursor if its listing is removed between two pages', async () => {
    const alice = await signedIn();
    const ids = await storeListings(alice.uid, 3);
    const api = createMarketplaceClient({ baseUrl });
    const listings = pages(api.flash.listByArtist, { id: alice.uid, limit: 1 });

    await listings.next();
    await firestore.doc(`flash/${ids[0] ?? ''}`).delete();

    await expect(listings.next()).rejects.toMatchObject({ status: 400, isCursorGone: true });
  });

  test('reports the error message and the request id', async () => {
    const api = createMarketplaceClient({ baseUrl, token: firebaseToken({ currentUser: null }) });

    const refusal = api.conversations.getMessages({ conversationId: 'a' });

    await expect(refusal).rejects.toThrow(MarketplaceError);
    await expect(refusal).rejects.toMatchObject({
      status: 401,
      message: expect.stringMatching(/^Sign in/) as unknown,
      requestId: expect.any(String) as unknown,
      attempts: 1,
      isCursorGone: false,
    });
  });
});
