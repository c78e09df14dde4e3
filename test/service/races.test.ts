/** Many requests at once that write the same documents: nothing is lost, and nothing is done by halves. */
import { exampleRequest } from '../support/exampleRequests.ts';
import { storedBooking, storedListing, storedPhoto } from '../support/factories.ts';
import { freshId } from '../support/firestore.ts';
import { inProcessService } from '../support/inProcessService.ts';

const service = inProcessService();
const uid = 'alice';
const artistId = uid;

/** Sends the example request of a function with another body, and returns the status. */
async function send(functionId: string, body: object): Promise<number> {
  const { path, ...request } = exampleRequest(
    functionId,
    { uid, prefix: 'none' },
    service.tokenOf(uid),
  );
  return (await service.send(functionId, path, { ...request, body: JSON.stringify(body) })).status;
}

test('20 sessions of one booking are deleted by 20 requests, and no other', async () => {
  const bookingId = freshId('booking');
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  const sessions = [...numbers, 99].map((sessionNumber) => ({ sessionNumber }));
  await service.store.set(`bookings/${bookingId}`, storedBooking({ artistId, sessions }));

  const statuses = await Promise.all(
    numbers.map((sessionNumber) => send('bookings-deleteSession', { bookingId, sessionNumber })),
  );

  expect(statuses).toEqual(numbers.map(() => 200));
  const stored = await service.store.get(`bookings/${bookingId}`);
  expect(stored?.sessions).toEqual([{ sessionNumber: 99 }]);
});

test('of two requests that remove the same photos one succeeds, and the other finds them gone', async () => {
  const photoIds = [freshId('photo'), freshId('photo')];
  const photos = photoIds.map((id) => [`gallery/${id}`, storedPhoto({ artistId })] as const);
  await service.store.setAll(photos);

  const statuses = await Promise.all([1, 2].map(() => send('gallery-removePhotos', { photoIds })));

  expect(statuses.sort()).toEqual([200, 404]);
});

test('a new order and a mark at the same time are both stored', async () => {
  const ids = [freshId('listing'), freshId('listing')];
  const listings = ids.map(
    (id) => [`flash/${id}`, storedListing({ artistId, isAvailable: true })] as const,
  );
  await service.store.setAll(listings);
  const flashUpdates = ids.map((id, index) => ({ id, order: 70 + index }));

  const statuses = await Promise.all([
    send('flash-reorder', { flashUpdates }),
    send('flash-markAsUnavailable', { flashIds: ids.toReversed() }),
  ]);

  expect(statuses).toEqual([200, 200]);
  for (const { id, order } of flashUpdates) {
    expect(await service.store.get(`flash/${id}`)).toMatchObject({ order, isAvailable: false });
  }
});
