import * as z from 'zod';
import {
  createOwned,
  defineCollection,
  deleteOwned,
  readDocument,
  readPage,
  assertRole,
  storedTime,
  updateOwned,
  type PageRequest,
} from '@tattoo-marketplace/collections';
import { boundedString, documentId } from '@tattoo-marketplace/endpoints';
// eslint-disable-next-line boundaries/dependencies -- The parent's model.
import { bookings } from '../bookings/booking.ts';

export const Consent = z
  .object({
    id: z.string().describe('The id of the consent.'),
    artistId: z.string().optional().describe('The artist of the booking.'),
    clientId: z.string().optional().describe('The client who gave the consent.'),
    text: z.string().optional().describe('What the client agrees to.'),
    note: z.string().optional().describe("The artist's note."),
    createdAt: storedTime.optional().describe('When it was given.'),
    updatedAt: storedTime.optional().describe('When it was last edited.'),
  })
  .meta({ id: 'Consent', description: 'A consent of a client to a tattoo.' });

/** The path parameters of the consents of a booking. */
export const BookingParams = z.object({
  bookingId: documentId.describe('The id of the booking.'),
});

/** The path parameters of one consent. */
export const ConsentParams = BookingParams.extend({
  consentId: documentId.describe('The id of the consent.'),
});
type ConsentParams = z.infer<typeof ConsentParams>;

/** A consent to create. */
export const NewConsent = z
  .object({ text: boundedString(2000).describe('What the client agrees to.') })
  .meta({ id: 'NewConsent', description: 'A consent to create.' });
type NewConsent = z.infer<typeof NewConsent>;

/** The note of an artist. */
export const ConsentNote = z
  .object({ note: boundedString(500).describe("The artist's note.") })
  .meta({ id: 'ConsentNote', description: "The artist's note on a consent." });

export const consents = defineCollection('bookings/{bookingId}/consents', {
  description: 'Consents of clients to their bookings.',
  schema: Consent,
  owner: 'clientId',
});
const newestFirst = consents.definePagedList({
  item: Consent,
  orderBy: 'createdAt',
  descending: true,
});

type Role = 'artistId' | 'clientId';

/** Reads the users of a booking. Throws `not-found`, or `permission-denied` unless the caller has one of these roles. */
async function readBooking(bookingId: string, roles: readonly Role[], callerId: string) {
  const document = { collection: bookings, document: { bookingId } };
  const booking = await readDocument(document, ['artistId', 'clientId']);
  assertRole(booking, roles, callerId, 'bookingId');
  return booking;
}

/** A page of the consents of a booking, for its artist and its client. */
export async function listConsents(bookingId: string, page: PageRequest, callerId: string) {
  await readBooking(bookingId, ['artistId', 'clientId'], callerId);
  const { items, ...position } = await readPage(newestFirst, { bookingId }, page);
  return { consents: items, ...position };
}

/** Adds a consent of the booking's client with this id, and returns the id. */
export async function addConsent(
  id: string,
  bookingId: string,
  consent: NewConsent,
  callerId: string,
) {
  const { artistId } = await readBooking(bookingId, ['clientId'], callerId);
  const params = { bookingId };
  const fields = { ...consent, artistId };
  return createOwned({ collection: consents, params, id, callerId }, fields, ['createdAt']);
}

/** Replaces the note of the booking's artist. */
export async function replaceNote(params: ConsentParams, note: string, callerId: string) {
  const owned = { ...selectConsent(params), callerId, ownedBy: 'artistId' } as const;
  await updateOwned(owned, () => ({ note }));
}

/** Deletes a consent of the caller. */
export async function deleteConsent(params: ConsentParams, callerId: string) {
  await deleteOwned({ ...selectConsent(params), callerId });
}

function selectConsent({ bookingId, consentId }: ConsentParams) {
  return { collection: consents, params: { bookingId }, documents: [{ consentId }] };
}
