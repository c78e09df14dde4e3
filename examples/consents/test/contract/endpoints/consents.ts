import { createPaths, generateDocuments, generatePageQuery, owner, pickId } from '../generators.ts';
import { parsePageQuery, buildPage } from '../lists.ts';
import { create, ensure, ensureValid, parseBody, respond, changeOwned } from '../endpointModel.ts';
import type { EndpointModel, ModelRequest } from '../endpointModel.ts';
import { isId, isText } from '../values.ts';

const LIMITS = { maxLimit: 50, defaultLimit: 20 };
const users = { artistId: owner, clientId: owner };
const bookings = generateDocuments(createPaths('bookings/~c', 2), users);
/** Also a consent to another booking with the same id. */
const consents = generateDocuments(
  ['bookings/~c1/consents/~k0', ...createPaths('bookings/~c0/consents/~k', 5)],
  users,
);
const documents = { ...bookings, ...consents };
const params = { bookingId: pickId(bookings), consentId: pickId(consents) };

/** Finds the booking of a request, of a caller with one of these roles. */
function findBooking({ params = {}, state, callerId }: ModelRequest, roles: readonly string[]) {
  ensureValid(isId(params.bookingId));
  const path = `bookings/${params.bookingId}`;
  const booking = state[path];
  ensure(booking !== undefined, 'not-found');
  const hasRole = roles.some((role) => booking[role] === callerId);
  ensure(hasRole, 'permission-denied');
  return { path, booking };
}

/** Returns the path of the consent that a request names. */
function parseConsentPath({ params = {} }: ModelRequest): string {
  ensureValid(isId(params.bookingId) && isId(params.consentId));
  return `bookings/${params.bookingId}/consents/${params.consentId}`;
}

/** The consents to a booking, newest first, for its artist and its client. */
export const listByBooking: EndpointModel = {
  apply(request) {
    parsePageQuery(request, LIMITS);
    const { path } = findBooking(request, ['artistId', 'clientId']);
    const newestFirst = { collection: `${path}/consents`, orderBy: 'createdAt', descending: true };
    const list = { ...newestFirst, ...LIMITS, itemsField: 'consents' };
    return respond(buildPage(list, request), request.state);
  },
  documents,
  request: {
    params: { bookingId: params.bookingId },
    query: generatePageQuery(consents, LIMITS.maxLimit),
  },
  // The booking.
  extraReads: 1,
};

/** Creates a consent of the booking's client, for the booking's artist. */
export const createConsent: EndpointModel = {
  apply(request) {
    const { text } = parseBody(request);
    ensureValid(isText(text, 2000));
    const { path, booking } = findBooking(request, ['clientId']);
    const artistId = typeof booking.artistId === 'string' ? booking.artistId : undefined;
    const { newId: id, callerId: clientId } = request;
    const fields = { text, artistId, clientId, createdAt: Date.now() };
    return respond({ id }, create(`${path}/consents`, fields, request));
  },
  documents,
  request: { params: { bookingId: params.bookingId } },
  // The booking.
  extraReads: 1,
};

/** Replaces the artist's note. */
export const editConsent: EndpointModel = {
  apply(request) {
    const { note } = parseBody(request);
    ensureValid(isText(note, 500));
    const change = { [parseConsentPath(request)]: { note, updatedAt: Date.now() } };
    return respond({ success: true }, changeOwned(change, request, 'artistId'));
  },
  documents,
  request: { params },
};

/** Removes a consent of the client. */
export const removeConsent: EndpointModel = {
  apply(request) {
    const removal = { [parseConsentPath(request)]: null };
    return respond({ success: true }, changeOwned(removal, request, 'clientId'));
  },
  documents,
  request: { params },
};
