import { storedBooking } from '../../dev/shared/factories.ts';
import { inProcessService } from '../support/inProcessService.ts';

const service = inProcessService();

test('20 requests at once delete the 20 sessions that they name, and no other', async () => {
  const artistId = 'alice';
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  const sessions = [...numbers, 99].map((sessionNumber) => ({ sessionNumber }));
  await service.store.set('bookings/booking', storedBooking({ artistId, sessions }));

  const responses = await Promise.all(
    numbers.map((sessionNumber) => {
      const body = { bookingId: 'booking', sessionNumber };
      return service.call('bookings-deleteSession', { body }, artistId);
    }),
  );

  expect(responses.map(({ status }) => status)).toEqual(numbers.map(() => 200));
  const stored = await service.store.get('bookings/booking');
  expect(stored?.sessions).toEqual([{ sessionNumber: 99 }]);
});
