import fc from 'fast-check';
import { createPaths, generateDocuments, owner, pickId, vary } from '../generators.ts';
import { createOwnedListModel } from '../lists.ts';
import {
  changeOwned,
  create,
  ensure,
  ensureValid,
  parseBody,
  respond,
  update,
  type EndpointModel,
} from '../endpointModel.ts';
import { isId, isNumber, isText } from '../values.ts';

const DAYS = ['2026-10-30', '2026-10-31', '2026-11-01'];
const days = vary(DAYS, ['2026-10', 'x', '']);
const requests = generateDocuments(createPaths('bookingRequests/~q', 5), {
  artistId: owner,
  clientId: owner,
  day: vary(DAYS),
});
const profiles = generateDocuments(['users/~alice', 'users/~bob'], {
  newNotificationsCount: fc.constantFrom(0, 7, '7', undefined),
});

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
}

/** Returns the requests to the caller, by day, and their total. */
export const listBookingRequests = createOwnedListModel({
  collection: 'bookingRequests',
  ownerField: 'artistId',
  orderBy: 'day',
  itemsField: 'bookingRequests',
  maxLimit: 50,
  defaultLimit: 20,
  optionalFilters: { status: ['requested', 'accepted', 'declined'] },
  isBound: isDay,
  documents: requests,
  request: { query: { from: days, to: days } },
});

/** Creates a request, its conversation and first message, and counts a notification of the artist: all or none. */
export const createBookingRequest: EndpointModel = {
  apply(request) {
    const { artistId, day, content } = parseBody(request);
    ensureValid(isId(artistId) && isDay(day) && isText(content, 2000));
    const { newId: id, callerId: clientId } = request;
    const profile = request.state[`users/${artistId}`];
    ensure(profile !== undefined, 'not-found');
    const count = profile.newNotificationsCount;
    const fields = { artistId, clientId, day, status: 'requested', createdAt: Date.now() };
    const message = { senderId: clientId, content, readBy: [clientId], type: 'text' };
    const further = {
      [`conversations/${id}`]: { participantIds: [artistId, clientId] },
      [`conversations/${id}/messages/first`]: { ...message, timestamp: Date.now() },
      [`users/${artistId}`]: { newNotificationsCount: (isNumber(count) ? count : 0) + 1 },
    };
    return respond({ id }, update(further, create('bookingRequests', fields, request)));
  },
  documents: profiles,
  request: { body: { artistId: owner, day: days } },
  // The conversation, the message and the profile.
  extraWrites: 3,
};

/** Replaces the status of a request to the caller. */
export const decideBookingRequest: EndpointModel = {
  apply(request) {
    const { status } = parseBody(request);
    const { requestId } = request.params ?? {};
    ensureValid(isId(requestId) && (status === 'accepted' || status === 'declined'));
    const change = { [`bookingRequests/${requestId}`]: { status, updatedAt: Date.now() } };
    return respond({ success: true }, changeOwned(change, request));
  },
  documents: requests,
  request: { params: { requestId: pickId(requests) } },
};
