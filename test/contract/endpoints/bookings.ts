import fc from 'fast-check';
import { documents, idOf, mostly, owner, TIMESTAMP, UNSAFE_INTEGER } from '../generators.ts';
import { bodyOf, ensure, ensureOwned, ensureValid, ok, update } from '../model.ts';
import type { EndpointModel } from '../model.ts';
import { isId, isMap, isNumber, numberOf } from '../values.ts';

// prettier-ignore
const UNUSUAL_SESSIONS = [
  null, { sessionNumber: '2' }, { sessionNumber: 1.5 }, { sessionNumber: -1 }, { n: UNSAFE_INTEGER },
  { sessionNumber: { doubleValue: 2 }, at: TIMESTAMP },
  { at: { geoPointValue: { latitude: 48.5, longitude: -16 } } },
];
const usual = [1, 1, 1, 2, 3].map((sessionNumber) => ({ sessionNumber, deposit: { paid: true } }));
const sessions = fc.array(mostly(usual, UNUSUAL_SESSIONS), { maxLength: 6 });
const bookings = documents(['bookings/~b0'], { artistId: owner, sessions });

/** Removes the first session with this number. The others stay exactly as they are stored. */
export const deleteSession: EndpointModel = {
  apply(request) {
    const { bookingId, sessionNumber } = bodyOf(request);
    // The specification has any number. Beyond these a double cannot tell one from the next.
    ensureValid(isId(bookingId) && isNumber(sessionNumber) && Math.abs(sessionNumber) < 2 ** 53);
    const path = `bookings/${bookingId}`;
    ensureOwned([path], request);
    const { sessions } = request.state[path] ?? {};
    const all: readonly unknown[] = Array.isArray(sessions) ? sessions : [];
    const numbers = all.map((each) => (isMap(each) ? numberOf(each.sessionNumber) : undefined));
    const index = numbers.indexOf(sessionNumber);
    ensure(index >= 0, 'not-found');
    const message = `Session ${sessionNumber} was deleted from the booking.`;
    const state = update({ [path]: { sessions: all.toSpliced(index, 1) } }, request.state);
    return ok({ message, bookingId }, state);
  },
  documents: bookings,
  request: {
    body: { bookingId: idOf(bookings), sessionNumber: mostly([1, 1, 1, 2, 3], [1.5, -1, '#-0']) },
  },
};
