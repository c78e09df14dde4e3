/**
 * The contract as a program: what each function of the service answers, and what is stored afterwards. Whoever wants to
 * know what an endpoint does reads this first. The tests in this folder send random calls to the service, several at
 * once, and fail unless some order of the calls explains every answer and everything stored.
 *
 * It was written from the specification and from docs/decisions.md, never from the code: a rule that was copied from there
 * would bless its faults. Rules of arithmetic and time therefore name, in quotation
 * marks, the sentence of docs/decisions.md that they come from.
 */
import { storedDocument } from '../../dev/shared/factories.ts';
import { User } from '../../functions/src/artists/user.ts';
import { toFields } from '../../dev/shared/store.ts';
import { isId, isIdList, isText, isTime, isWeek, requestedDays } from './accepted.ts';
import {
  isMap,
  isNumber,
  leaving,
  numberOf,
  picked,
  preferencesOf,
  sortKey,
  timeInPlaceOf,
  type Data,
} from './values.ts';

/** Everything stored, by path: `flash/abc`. */
export type Documents = Readonly<Record<string, Data>>;

/** A request to a function, or a write of another program. */
export interface Call {
  readonly functionId: FunctionId;
  /** The user whose valid token is sent, if any. */
  readonly caller?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** The JSON text. */
  readonly body?: string;
  /** What another program stores. */
  readonly written?: Writes;
}

/** Documents to store as a whole, or null to delete them. */
export type Writes = Readonly<Record<string, Data | null>>;

/** The `X-Error-Code` of an error, and its status. Every error has the body `{"message": "…"}`. */
const STATUSES = {
  'invalid-argument': 400,
  'cursor-not-found': 400,
  unauthenticated: 401,
  'permission-denied': 403,
  'not-found': 404,
  /** Firestore fails: nothing was done, and nothing will be. */
  unavailable: 503,
  /** Firestore fails: all of it or nothing was done, or is done a moment later. */
  'outcome-unknown': 503,
} as const;
type Code = keyof typeof STATUSES;

/** A response. */
export type Answer =
  | { readonly status: 200; readonly body: unknown }
  | { readonly status: number; readonly code: Code };

/** When a call takes effect. A page is read at several times, between which other calls may take effect. */
export interface Moment {
  readonly documents: Documents;
  /**
   * The server's time when a write is put together, after the reading that it depends on: `updatedAt` of what it changes,
   * whatever is stored ("`updatedAt`").
   */
  readonly now: number;
  /** What was stored when the cursor and the conversation were read, before the page. */
  readonly earlier?: Documents;
  /** What was stored when the list was counted, before or after the page. */
  readonly counted?: Documents;
  /** What was stored while the page was read in vain, because it was too large. */
  readonly meanwhile?: readonly Documents[];
  /** How often it was then read again, each time with a quarter of its limit. */
  readonly quarters?: number;
}

/** The answer to a call, and what is stored after it. */
export interface Outcome {
  readonly answer: Answer;
  readonly documents: Documents;
}

interface Request extends Call, Moment {
  readonly caller: string;
}

/** The functions that ignore the token; all others need a signed-in user. */
const PUBLIC = {
  'artists-list': listArtists,
  'flash-listByArtist': (request: Request) =>
    listVisible(request, request.params?.id, 'flash', 'flash', storedDocument('flash')),
  'gallery-listByArtist': (request: Request) =>
    listVisible(request, request.params?.artistId, 'gallery', 'photos', storedDocument('gallery')),
};
/** The functions that change nothing. */
export const READS = { ...PUBLIC, 'conversations-getMessages': getMessages };
const functions = {
  ...READS,
  'notifications-resetNewNotifications': resetNewNotifications,
  'availability-updateAvailability': updateAvailability,
  'unavailableEvents-editUnavailableEvent': editUnavailableEvent,
  'bookings-deleteSession': deleteSession,
  'flash-reorder': reorder,
  'gallery-removePhotos': removePhotos,
  'flash-markAsUnavailable': (request: Request) => mark(request, false),
  'flash-markAsAvailable': (request: Request) => mark(request, true),
  /** Another program writes directly to the database. */
  others: ({ documents, written = {} }: Request) => ok({}, withWrites(documents, written)),
} satisfies Record<string, (request: Request) => Outcome>;
export type FunctionId = keyof typeof functions;

/**
 * What a call does. It checks the token, then the body and the query, then whether the documents exist, then whether
 * they are the caller's. A refused call changes nothing.
 */
export function perform(call: Call, moment: Moment): Outcome {
  const { functionId, caller } = call;
  try {
    demand(functionId in PUBLIC || caller !== undefined, 'unauthenticated');
    return functions[functionId]({ ...call, caller: caller ?? '', ...moment });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const code = error.message as Code;
    return { answer: { status: STATUSES[code], code }, documents: moment.documents };
  }
}

// The functions that change something.

/** Sets the caller's counter of new notifications to 0. A body is ignored. */
function resetNewNotifications({ caller, documents }: Request): Outcome {
  const path = `users/${caller}`;
  demand(path in documents, 'not-found');
  return ok({ success: true }, changed(documents, path, { newNotificationsCount: 0 }));
}

/**
 * Replaces a schedule as a whole: an optional field that is not sent is removed. `createdAt` stays as it is. What is sent as
 * the time of creation or update is not used, nor the end of a schedule without one.
 */
function updateAvailability(request: Request): Outcome {
  const { artistId, availabilityId, isActive, weeklySlots, ...dates } = bodyOf(request);
  const { dateRangeType, effectiveFrom, createdAt, updatedAt } = dates;
  const isEndless = dateRangeType === 'indefinitely';
  const effectiveUntil = isEndless ? undefined : (dates.effectiveUntil ?? undefined);
  const rollingDays = requestedDays(dates.rollingDays);
  valid(isId(artistId) && isId(availabilityId));
  valid(typeof isActive === 'boolean' && isWeek(weeklySlots));
  valid(isTime(effectiveFrom) && [createdAt, updatedAt].every((sent) => isTime(sent ?? 0)));
  // "The end of a schedule".
  valid(isEndless || dateRangeType === 'specific' || dateRangeType === 'rolling');
  valid(dateRangeType !== 'specific' || effectiveUntil !== undefined);
  valid(effectiveUntil === undefined || isTime(effectiveUntil));
  valid(effectiveUntil === undefined || effectiveUntil > effectiveFrom);
  valid(dateRangeType !== 'rolling' || rollingDays !== undefined);
  const path = `availability/${availabilityId}`;
  owned([path], request);
  demand(artistId === request.caller, 'permission-denied');
  const schedule = { isActive, weeklySlots, dateRangeType, rollingDays };
  const times = { effectiveFrom, effectiveUntil, updatedAt: request.now };
  return ok({ success: true }, changed(request.documents, path, schedule, times));
}

/** Replaces the title and the times of an event. */
function editUnavailableEvent(request: Request): Outcome {
  const { id, title, date, startTime, endTime } = bodyOf(request);
  // "Sizes"; and an event that ends before it starts is none.
  valid(isId(id) && isText(title) && title !== '' && Array.from(title).length <= 200);
  valid(isTime(date) && isTime(startTime) && isTime(endTime) && endTime > startTime);
  const path = `unavailableEvents/${id}`;
  owned([path], request);
  const body = { success: true, message: 'The unavailable event was updated.' };
  const times = { date, startTime, endTime };
  return ok(body, changed(request.documents, path, { title }, times));
}

/** Removes the first session with this number. The others stay exactly as they are stored. */
function deleteSession(request: Request): Outcome {
  const { bookingId, sessionNumber } = bodyOf(request);
  valid(isId(bookingId) && isNumber(sessionNumber));
  // The specification has any number. Beyond these a double cannot tell one from the next.
  valid(Math.abs(sessionNumber) <= Number.MAX_SAFE_INTEGER);
  const path = `bookings/${bookingId}`;
  const [booking] = owned([path], request);
  const sessions: readonly unknown[] = Array.isArray(booking?.sessions) ? booking.sessions : [];
  const index = sessions.findIndex(
    (session) => isMap(session) && numberOf(session.sessionNumber) === sessionNumber,
  );
  demand(index >= 0, 'not-found');
  const body = { message: `Session ${sessionNumber} was deleted from the booking.`, bookingId };
  return ok(body, changed(request.documents, path, { sessions: sessions.toSpliced(index, 1) }));
}

/** Sets the `order` of listings, all or none. No listing may be named twice. */
function reorder(request: Request): Outcome {
  const { flashUpdates } = bodyOf(request);
  valid(Array.isArray(flashUpdates) && flashUpdates.every(isMap));
  const ids = flashUpdates.map(({ id }) => id);
  valid(isIdList(ids) && new Set(ids).size === ids.length);
  // "`order`".
  valid(flashUpdates.every(({ order }) => isNumber(order)));
  // -0 is 0.
  const orders = new Map(ids.map((id, index) => [id, Number(flashUpdates[index]?.order) + 0]));
  const documents = changedListings(request, ids, (id) => ({ order: orders.get(id) }));
  return ok({ success: true }, documents);
}

/** Makes listings available or unavailable, all or none, whatever they were. A repeated id counts once. */
function mark(request: Request, isAvailable: boolean): Outcome {
  const { flashIds } = bodyOf(request);
  valid(isIdList(flashIds));
  // "`updatedCount`".
  const ids = [...new Set(flashIds)];
  const documents = changedListings(request, ids, () => ({ isAvailable }));
  return ok({ success: true, updatedCount: ids.length }, documents);
}

/** The documents after a change of listings. */
function changedListings(request: Request, ids: readonly string[], fieldsOf: (id: string) => Data) {
  const paths = ids.map((id) => `flash/${id}`);
  owned(paths, request);
  const updatedAt = request.now;
  return ids.reduce(
    (documents, id) => changed(documents, `flash/${id}`, fieldsOf(id), { updatedAt }),
    request.documents,
  );
}

/** Deletes photos, all or none. A repeated id counts once. What is gone is 404, also for the second of two at once. */
function removePhotos(request: Request): Outcome {
  const { query = {}, body, documents } = request;
  // Some clients drop the body of a DELETE.
  const inQuery = 'photoIds' in query ? [query.photoIds].flat() : undefined;
  const photoIds = body === undefined ? inQuery : bodyOf(request).photoIds;
  valid(isIdList(photoIds));
  const paths = photoIds.map((id) => `gallery/${id}`);
  owned(paths, request);
  const removed = Object.fromEntries(paths.map((path) => [path, null]));
  return ok({ success: true }, withWrites(documents, removed));
}

/** The documents with these paths. All must exist, and belong to the caller by what is stored. */
function owned(paths: readonly string[], { documents, caller }: Request): Data[] {
  const found = paths.flatMap((path) => documents[path] ?? []) as Data[];
  demand(found.length === paths.length, 'not-found');
  for (const { artistId } of found) demand(artistId === caller, 'permission-denied');
  return found;
}

/** The documents after a change of one. A field that is undefined is removed. Times keep the kind that is stored. */
function changed(documents: Documents, path: string, fields: Data, times: Times = {}): Documents {
  const stored = documents[path] ?? {};
  const kept: Data = Object.fromEntries(
    Object.entries(times).map(([name, ms]) => [name, timeInPlaceOf(stored[name], ms)]),
  );
  const data = Object.entries({ ...stored, ...fields, ...kept });
  const present = data.filter(([, value]) => value !== undefined);
  return { ...documents, [path]: Object.fromEntries(present) };
}

type Times = Readonly<Record<string, number | undefined>>;

/** The documents after direct writes. */
export function withWrites(documents: Documents, written: Writes): Documents {
  const all = Object.entries({ ...documents, ...written });
  return Object.fromEntries(all.filter((entry): entry is [string, Data] => entry[1] !== null));
}

// The functions that read. What leaves of a document are the fields of a complete one.

/** The messages of a conversation, newest first, for its participants. */
function getMessages(request: Request): Outcome {
  const page = pageOf(request, 100, 50);
  const { query = {}, documents, earlier = documents } = request;
  const { conversationId } = query;
  valid(isId(conversationId));
  const conversation = earlier[`conversations/${conversationId}`];
  demand(conversation !== undefined, 'not-found');
  const { participantIds: ids } = conversation;
  demand(Array.isArray(ids) && ids.includes(request.caller), 'permission-denied');
  const collection = `conversations/${conversationId}/messages`;
  const has = (data: Data) => 'timestamp' in data;
  const complete = storedDocument('messages');
  const list = { collection, has, complete, orderBy: 'timestamp', isDescending: true };
  const { elements, hasMore } = readPage(list, page, request);
  const messages = elements.map((element) => shown(element, complete));
  return ok({ messages, ...end(elements, hasMore) }, documents);
}

/** An artist's visible documents, by `order`, and how many there are in all. */
function listVisible(
  request: Request,
  artistId: unknown,
  collection: string,
  name: string,
  complete: Data,
): Outcome {
  const page = pageOf(request, 50, 20);
  const { documents, counted = documents } = request;
  valid(isId(artistId));
  const isOf = (data: Data) => data.artistId === artistId && 'order' in data;
  const has = (data: Data) => isOf(data) && data.isVisible === true;
  const list = { collection, isOf, has, complete, orderBy: 'order' };
  const { elements, hasMore: isFollowed } = readPage(list, page, request);
  const count = elementsOf(list, counted).length;
  // "`total`": after a full first page the count says whether there is more.
  const isFullFirst = page.cursor === undefined && elements.length === page.limit;
  const hasMore = isFullFirst ? count > page.limit : isFollowed;
  const total = Math.max(count, elements.length + Number(hasMore));
  const found = elements.map((element) => shown(element, complete));
  return ok({ [name]: found, total, ...end(elements, hasMore) }, documents);
}

/** All verified artists, by id. Of the info blocks only an artist's leaves, and the settings have defaults. */
function listArtists({ documents }: Request): Outcome {
  const has = ({ userType, artistInfo }: Data) =>
    userType === 'artist' && isMap(artistInfo) && artistInfo.isVerified === true;
  const complete = User.omit({ id: true, clientInfo: true, studioInfo: true }).parse(
    storedDocument('users'),
  );
  const artists = elementsOf({ collection: 'users', has, complete }, documents).map((element) => {
    const user = shown(element, complete);
    return { ...user, preferences: preferencesOf(user.preferences) };
  });
  return ok(artists, documents);
}

interface List {
  readonly collection: string;
  readonly has: (data: Data) => boolean;
  /** A document with all fields that are read. */
  readonly complete: Data;
  /** Whether a document can be a cursor, if others than elements can. */
  readonly isOf?: (data: Data) => boolean;
  /** The field that orders the list; equal ones by id. */
  readonly orderBy?: string;
  readonly isDescending?: boolean;
}

interface Element {
  readonly id: string;
  readonly data: Data;
  /** Where it stands: the kind of the value that orders it, the value, and the id. */
  readonly place: readonly [number, number | string, string];
}

function elementsOf(list: List, documents: Documents): Element[] {
  const { collection, has, orderBy = '' } = list;
  return Object.entries(documents)
    .filter(([path, data]) => path.replace(/\/[^/]*$/, '') === collection && has(data))
    .map(([path, data]): Element => {
      const id = path.slice(collection.length + 1);
      return { id, data, place: [...sortKey(data[orderBy]), id] };
    })
    .sort((one, other) => (isBefore(list, one, other) ? -1 : 1));
}

function isBefore({ isDescending = false }: List, one: Element, other: Element): boolean {
  const index = one.place.findIndex((part, at) => part !== other.place[at]);
  return index >= 0 && (one.place[index] ?? 0) < (other.place[index] ?? 0) !== isDescending;
}

/** The first elements after the cursor's, which may have been hidden since, and whether more follow. */
function readPage(list: List, { limit, cursor }: Page, request: Request) {
  const { documents, earlier = documents, meanwhile = [], quarters = 0 } = request;
  const { isOf = list.has } = list;
  const start = elementsOf({ ...list, has: isOf }, earlier).find(({ id }) => id === cursor);
  demand(cursor === undefined || start !== undefined, 'cursor-not-found');
  const after = (stored: Documents) =>
    elementsOf(list, stored).filter((each) => !start || isBefore(list, start, each));
  // "Page sizes".
  const isLarge = (size: number) =>
    meanwhile.some((stored) => bytesOf(list, after(stored).slice(0, size + 1)) > 2 ** 20);
  let size = limit;
  for (let left = quarters; left > 0 && isLarge(size); left -= 1) size = Math.ceil(size / 4);
  const elements = after(documents);
  return { elements: elements.slice(0, size), hasMore: elements.length > size };
}

/** The size of what is read of these elements, in Firestore's JSON. */
function bytesOf({ complete }: List, elements: readonly Element[]): number {
  const read = elements.map(({ data }) => toFields(picked(data, complete) as Data));
  return Buffer.byteLength(JSON.stringify(read));
}

/** The end of a page. `nextCursor` is the id of its last element. */
function end(elements: readonly Element[], hasMore: boolean) {
  return { hasMore, ...(hasMore && { nextCursor: elements.at(-1)?.id }) };
}

/** What leaves of a document. The `id` is always its own. */
function shown({ id, data }: Element, complete: Data): Data {
  return { ...(leaving(data, complete) as Data), id };
}

interface Page {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** The limits of a page. The specification has 1 to 50 for listings and photos, "Page sizes" the others. */
function pageOf({ query = {} }: Call, most: number, usual: number): Page {
  const { limit = String(usual), cursor } = query;
  valid(typeof limit === 'string' && /^\d+$/.test(limit));
  valid(Number(limit) >= 1 && Number(limit) <= most);
  valid(cursor === undefined || isId(cursor));
  return { limit: Number(limit), cursor };
}

// Answers.

/** Its message is the code. */
class Refusal extends Error {}

function demand(isMet: boolean, code: Code): asserts isMet {
  if (!isMet) throw new Refusal(code);
}

function valid(isMet: boolean): asserts isMet {
  demand(isMet, 'invalid-argument');
}

function ok(body: unknown, documents: Documents): Outcome {
  return { answer: { status: 200, body }, documents };
}

/** The body must be a JSON object. Fields that the function does not know are ignored. */
function bodyOf({ body = '' }: Call): Data {
  let sent: unknown;
  try {
    sent = JSON.parse(body);
  } catch {
    throw new Refusal('invalid-argument');
  }
  valid(isMap(sent));
  return sent;
}
