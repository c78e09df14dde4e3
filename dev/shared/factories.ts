/**
 * Complete, valid stored documents without their `id`, from documents.json. Each factory takes overrides for the fields
 * that matter in a test.
 */
import documents from './documents.json' with { type: 'json' };

type Fields = Readonly<Record<string, unknown>>;

/** A copy, so that no test changes the documents of another. In jest, structuredClone's objects are of another realm. */
function copyOf<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

function factory<Document extends object>(complete: Document) {
  return (fields: Fields = {}) => ({ ...copyOf(complete), ...fields });
}

export const storedArtist = factory(documents.users);
export const storedListing = factory(documents.flash);
export const storedPhoto = factory(documents.gallery);
export const storedAvailability = factory(documents.availability);
export const storedEvent = factory(documents.unavailableEvents);
export const storedBooking = factory(documents.bookings);
export const storedMessage = factory(documents.messages);

/** A session of a booking, with the number 1, 2 or 3. */
export function storedSession(sessionNumber: number) {
  return copyOf(documents.bookings.sessions[sessionNumber - 1]);
}
