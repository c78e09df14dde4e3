import fc from 'fast-check';
import { generateDocuments, owner, pickId, TIMESTAMP, vary } from '../generators.ts';
import { ensure, ensureOwned, ensureValid, parseBody, respond, update } from '../endpointModel.ts';
import type { EndpointModel } from '../endpointModel.ts';
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

/** Removes the first session with this number. Other sessions keep their stored values. */
export const deleteSession: EndpointModel = {
  apply(request) {
    const { bookingId, sessionNumber } = parseBody(request);
    // The specification allows any number. Doubles beyond these are not exact.
    ensureValid(isId(bookingId) && isNumber(sessionNumber) && Math.abs(sessionNumber) < 2 ** 53);
    const path = `bookings/${bookingId}`;
    ensureOwned([path], request);
    const stored = request.state[path]?.sessions;
    const sessions: readonly unknown[] = Array.isArray(stored) ? stored : [];
    const index = sessions.findIndex(
      (session) => isMap(session) && readNumber(session.sessionNumber) === sessionNumber,
    );
    ensure(index >= 0, 'not-found');
    const message = `Session ${sessionNumber} was deleted from the booking.`;
    const state = update({ [path]: { sessions: sessions.toSpliced(index, 1) } }, request.state);
    return respond({ message, bookingId }, state);
  },
  documents: bookings,
  request: {
    body: { bookingId: pickId(bookings), sessionNumber: vary([1, 1, 1, 2, 3], [1.5, -1, '#-0']) },
  },
};
