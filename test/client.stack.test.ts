/** The typed client, as an app uses it: every operation of the service, its paging and its token. */
import {
  createMarketplaceClient,
  firebaseToken,
  MarketplaceError,
  pages,
} from '@tattoo-marketplace/client';
import { readFileSync } from 'node:fs';
import { signedIn, type SignedIn } from './support/accounts.ts';
import { deployedEndpoints } from './support/deployMap.ts';
import {
  storedArtist,
  storedAvailability,
  storedBooking,
  storedEvent,
  storedListing,
  storedMessage,
  storedPhoto,
} from './support/factories.ts';
import { freshId, stackFirestore, store } from './support/firestore.ts';
import { testStack } from './support/stack.ts';

const { baseAddress: baseUrl } = testStack();

/** A client of somebody who is signed in, as `firebase/auth` would have them. */
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

  test('calls every operation that there is', async () => {
    const alice = await signedIn();
    const artistId = alice.uid;
    const [first = '', second = ''] = await storeListings(artistId, 2);
    const id = freshId('of-alice');
    const own = { artistId };
    // A client, so that the tests of the artist list do not see her come.
    await store(firestore, 'users', { [artistId]: storedArtist({ userType: 'client' }) });
    await store(firestore, 'gallery', { [id]: storedPhoto(own) });
    await store(firestore, 'availability', { [id]: storedAvailability(own) });
    await store(firestore, 'unavailableEvents', { [id]: storedEvent(own) });
    await store(firestore, 'bookings', { [id]: storedBooking(own) });
    await store(firestore, 'conversations', { [id]: { participantIds: [artistId] } });
    await store(firestore, `conversations/${id}/messages`, { one: storedMessage() });
    const api = clientOf(alice);

    const answers = [
      await api.GET('/artists'),
      await api.GET('/flash/artist/{id}/paginated', { params: { path: { id: artistId } } }),
      await api.GET('/gallery/artist/{artistId}/paginated', {
        params: { path: { artistId }, query: { limit: 5 } },
      }),
      await api.GET('/conversations/get-messages', { params: { query: { conversationId: id } } }),
      await api.POST('/notifications/reset-new-notifications'),
      await api.PUT('/flash/reorder', { body: { flashUpdates: [{ id: first, order: 7 }] } }),
      await api.PUT('/flash/mark-as-available', { body: { flashIds: [first, second] } }),
      await api.PUT('/flash/mark-as-unavailable', { body: { flashIds: [second] } }),
      await api.DELETE('/gallery/remove-photos', { body: { photoIds: [id] } }),
      await api.POST('/bookings/delete-session', { body: { bookingId: id, sessionNumber: 2 } }),
      await api.PUT('/unavailable-events/edit-unavailable-event', {
        body: { id, title: 'Holiday', date: 1, startTime: 2, endTime: 3 },
      }),
      await api.POST('/availability/update-availability', {
        body: {
          ...own,
          availabilityId: id,
          isActive: true,
          weeklySlots: { Monday: [] },
          dateRangeType: 'rolling',
          rollingDays: '30',
          effectiveFrom: 1,
          createdAt: 1,
          updatedAt: 1,
        },
      }),
    ];

    expect(answers.map(({ error }) => error)).toEqual(answers.map(() => undefined));
    expect(answers).toHaveLength(deployedEndpoints.length);
    expect(answers[1]?.data).toMatchObject({ flash: [{ id: first }, { id: second }], total: 2 });
    expect(answers[3]?.data).toMatchObject({ messages: [{ id: 'one' }], hasMore: false });
  });

  test('pages through a list to its end', async () => {
    const alice = await signedIn();
    const ids = await storeListings(alice.uid, 7);
    const api = createMarketplaceClient({ baseUrl });
    const seen: string[][] = [];

    const flash = pages((cursor) =>
      api.GET('/flash/artist/{id}/paginated', {
        params: {
          path: { id: alice.uid },
          query: { limit: 3, ...(cursor !== undefined && { cursor }) },
        },
      }),
    );
    for await (const page of flash) seen.push(page.flash.map(({ id }) => id));

    expect(seen).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)]);
  });

  test('says what was refused', async () => {
    const api = createMarketplaceClient({ baseUrl, token: firebaseToken({ currentUser: null }) });
    const messages = () =>
      api.GET('/conversations/get-messages', { params: { query: { conversationId: 'a' } } });

    const { data, error, response } = await messages();

    expect(data).toBeUndefined();
    expect(error?.message).toMatch(/^Sign in first: /);
    expect(response.status).toBe(401);
    await expect(pages(messages).next()).rejects.toThrow(MarketplaceError);
    await expect(pages(messages).next()).rejects.toMatchObject({ status: 401 });
  });

  test('depends on the runtime of its generator alone', () => {
    const { dependencies, ...rest } = JSON.parse(
      readFileSync('public/client/package.json', 'utf8'),
    ) as Record<string, object>;

    expect(Object.keys(dependencies ?? {})).toEqual(['openapi-fetch']);
    expect(rest).not.toHaveProperty('peerDependencies');
  });
});
