import { storedDocument } from '../../demo/exampleDocuments.ts';
import { inProcessService } from '../support/inProcessService.ts';

const service = inProcessService();

test('20 requests at once delete the 20 sessions that they name, and no other; a deleted one is named', async () => {
  const artistId = 'alice';
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  const sessions = [...numbers, 99].map((sessionNumber) => ({ sessionNumber }));
  await service.store.set('bookings/booking', storedDocument('bookings', { artistId, sessions }));

  const remove = (sessionNumber: number) => {
    const body = { bookingId: 'booking', sessionNumber };
    return service.call('bookings-deleteSession', { body }, artistId);
  };

  const responses = await Promise.all(numbers.map(remove));

  expect(responses.map(({ status }) => status)).toEqual(numbers.map(() => 200));
  const stored = await service.store.get('bookings/booking');
  expect(stored?.sessions).toEqual([{ sessionNumber: 99 }]);
  expect(JSON.parse((await remove(3)).text)).toEqual({
    message: 'sessionNumber names no session of this booking.',
  });
});
