import fc from 'fast-check';
import { generateDocuments, owner, pickId, TIMESTAMP, vary } from '../generators.ts';
import { ensure, ensureOwned, ensureValid, parseBody, respond, update } from '../model.ts';
import type { EndpointModel } from '../model.ts';
import { isId, isMap, isNumber, readNumber } from '../values.ts';

// prettier-ignore
const UNUSUAL_SESSIONS = [
  null, { sessionNumber: '2' }, { sessionNumber: 1.5 }, { sessionNumber: -1 }, { n: { integerValue: '9007199254740993' } },
  { sessionNumber: { doubleValue: 2 }, at: TIMESTAMP },
  { at: { geoPointValue: { latitude: 48.5, longitude: -16 } } },
];
const usual = [1, 1, 1, 2, 3].map((sessionNumber) => ({ sessionNumber, deposit: { paid: true } }));
const sessions = fc.array(vary(usual, UNUSUAL_SESSIONS), { maxLength: 6 });
const bookings = generateDocuments(['bookings/~b0'], { artistId: owner, sessions });

/** Removes the first session with this number. The others stay exactly as they are stored. */
export const deleteSession: EndpointModel = {
  apply(request) {
    const { bookingId, sessionNumber } = parseBody(request);
    // The specification has any number. Beyond these a double cannot tell one from the next.
    ensureValid(isId(bookingId) && isNumber(sessionNumber) && Math.abs(sessionNumber) < 2 ** 53);
    const path = `bookings/${bookingId}`;
    ensureOwned([path], request);
    const { sessions } = request.state[path] ?? {};
    const all: readonly unknown[] = Array.isArray(sessions) ? sessions : [];
    const numbers = all.map((each) => (isMap(each) ? readNumber(each.sessionNumber) : undefined));
    const index = numbers.indexOf(sessionNumber);
    ensure(index >= 0, 'not-found');
    const message = `Session ${sessionNumber} was deleted from the booking.`;
    const state = update({ [path]: { sessions: all.toSpliced(index, 1) } }, request.state);
    return respond({ message, bookingId }, state);
  },
  documents: bookings,
  request: {
    body: { bookingId: pickId(bookings), sessionNumber: vary([1, 1, 1, 2, 3], [1.5, -1, '#-0']) },
  },
};
