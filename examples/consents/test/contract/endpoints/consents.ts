import { createPaths, generateDocuments, owner, pickId } from '../generators.ts';
import { createPagedListModel } from '../lists.ts';
import {
  changeOwned,
  create,
  ensureValid,
  findForRole,
  parseBody,
  respond,
  type EndpointModel,
  type ModelRequest,
} from '../endpointModel.ts';
import { isId, isText } from '../values.ts';

const users = { artistId: owner, clientId: owner };
const bookings = generateDocuments(createPaths('bookings/~c', 2), users);
/** Also a consent to another booking with the same id. */
const consents = generateDocuments(
  ['bookings/~c1/consents/~k0', ...createPaths('bookings/~c0/consents/~k', 5)],
  users,
);
const documents = { ...bookings, ...consents };
const params = { bookingId: pickId(bookings), consentId: pickId(consents) };

/** Returns the path of the booking that a request names. */
function parseBookingPath({ params = {} }: ModelRequest): string {
  ensureValid(isId(params.bookingId));
  return `bookings/${params.bookingId}`;
}

/** Returns the path of the consent that a request names. */
function parseConsentPath(request: ModelRequest): string {
  const { consentId } = request.params ?? {};
  ensureValid(isId(consentId));
  return `${parseBookingPath(request)}/consents/${consentId}`;
}

/** The consents to a booking, newest first, for its artist and its client. */
export const listByBooking = createPagedListModel(
  {
    orderBy: 'createdAt',
    descending: true,
    itemsField: 'consents',
    hasTotal: false,
    maxLimit: 50,
    defaultLimit: 20,
    parents: bookings,
    documents: consents,
    request: { params: { bookingId: params.bookingId } },
    // The booking.
    extraReads: 1,
  },
  (request) => {
    const path = parseBookingPath(request);
    findForRole(path, ['artistId', 'clientId'], request);
    return { collection: `${path}/consents` };
  },
);

/** Creates a consent of the booking's client, for the booking's artist. */
export const createConsent: EndpointModel = {
  apply(request) {
    const { text } = parseBody(request);
    ensureValid(isText(text, 2000));
    const path = parseBookingPath(request);
    const booking = findForRole(path, ['clientId'], request);
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
