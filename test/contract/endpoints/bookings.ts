import fc from 'fast-check';
import { isId } from '../accepted.ts';
import { body, idOf, LARGE, mostly, owner, storing, TIMESTAMP } from '../arbitraries.ts';
import { bodyOf, changed, demand, ok, owned, valid, type Entry } from '../rules.ts';
import { isMap, isNumber, numberOf } from '../values.ts';

const session = mostly(
  [1, 1, 1, 2, 3].map((sessionNumber) => ({ sessionNumber, notes: 'x', deposit: { paid: true } })),
  [
    ...[null, { sessionNumber: '2' }, { sessionNumber: 1.5 }, { sessionNumber: -1 }, { n: LARGE }],
    { sessionNumber: { doubleValue: 2 }, at: TIMESTAMP },
    { at: { geoPointValue: { latitude: 48.5, longitude: -16 } } },
  ],
);
const sessions = fc.array(session, { maxLength: 6 });
const stored = storing(['bookings/~b0'], { artistId: owner, sessions });

/** Removes the first session with this number. The others stay exactly as they are stored. */
export const deleteSession: Entry = {
  answer(request) {
    const { bookingId, sessionNumber } = bodyOf(request);
    valid(isId(bookingId) && isNumber(sessionNumber));
    // The specification has any number. Beyond these a double cannot tell one from the next.
    valid(Math.abs(sessionNumber) <= Number.MAX_SAFE_INTEGER);
    const path = `bookings/${bookingId}`;
    const [booking] = owned([path], request);
    const all: readonly unknown[] = Array.isArray(booking?.sessions) ? booking.sessions : [];
    const index = all.findIndex(
      (each) => isMap(each) && numberOf(each.sessionNumber) === sessionNumber,
    );
    demand(index >= 0, 'not-found');
    const message = `Session ${sessionNumber} was deleted from the booking.`;
    const changes = { [path]: { sessions: all.toSpliced(index, 1) } };
    return ok({ message, bookingId }, changed(request.documents, changes));
  },
  stored,
  send: body({
    bookingId: idOf(stored),
    sessionNumber: mostly([1, 1, 1, 2, 3], [1.5, -1, '#-0']),
  }),
  // It alone shows what is done twice.
  often: 6,
};
