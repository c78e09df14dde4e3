/**
 * The contract as a program: what each operation of the service answers, and what is stored afterwards. Whoever wants to
 * know what an endpoint does reads this first. The tests in this folder send random calls to the service, several at
 * once, and fail unless some order of the calls explains every answer and everything stored.
 */
import {
  artist,
  listing,
  message,
  photo,
  requestedDays,
  isId,
  isIdList,
  isMap,
  isNumber,
  isRaw,
  isText,
  isTime,
  isWeek,
  isWhole,
  numberOf,
  timeOf,
  type Data,
  type Shape,
} from './values.ts';

/** Everything stored, by path: `flash/abc`. */
export type Documents = Readonly<Record<string, Data>>;

/** A request. */
export interface Call {
  readonly operation: Operation;
  /** The user whose valid token is sent, if any. */
  readonly caller?: string;
  /** The id in the path of a public list. */
  readonly artistId?: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** The JSON text. */
  readonly body?: string;
}

/** The `X-Error-Code` of a refusal, and its status. Every refusal has the body `{"message": "…"}`. */
const STATUSES = {
  'invalid-argument': 400,
  'cursor-not-found': 400,
  unauthenticated: 401,
  'permission-denied': 403,
  'not-found': 404,
} as const;
export type Code = keyof typeof STATUSES;

/** A response. */
export type Answer =
  | { readonly status: 200; readonly body: unknown }
  | { readonly status: number; readonly code: Code };

/** When a call takes effect. */
export interface Moment {
  readonly documents: Documents;
  /** The server's time when the request began. */
  readonly now: number;
  /** Where the cursor's element stood when it was given out, if this instance of the service remembers it. */
  readonly place?: Place | undefined;
}

/** What happens at one moment. Only reads take several, between which other calls may take effect. */
export type Outcome =
  | { readonly answer: Answer; readonly documents: Documents }
  /** What the call reads next: at a later moment, or at any moment of the call. */
  | { readonly when: 'later' | 'anytime'; readonly next: Step };
export type Step = (documents: Documents) => Outcome;

interface Request extends Call, Moment {
  readonly caller: string;
}

/** The endpoints. The last three are public and ignore the token; the others need a signed-in user. */
export const endpoints = {
  'notifications-resetNewNotifications': [
    'POST /notifications/reset-new-notifications',
    resetNewNotifications,
  ],
  'availability-updateAvailability': ['POST /availability/update-availability', updateAvailability],
  'unavailableEvents-editUnavailableEvent': [
    'PUT /unavailable-events/edit-unavailable-event',
    editUnavailableEvent,
  ],
  'bookings-deleteSession': ['POST /bookings/delete-session', deleteSession],
  'flash-reorder': ['PUT /flash/reorder', reorder],
  'gallery-removePhotos': ['DELETE /gallery/remove-photos', removePhotos],
  'flash-markAsUnavailable': ['PUT /flash/mark-as-unavailable', mark(false)],
  'flash-markAsAvailable': ['PUT /flash/mark-as-available', mark(true)],
  'conversations-getMessages': ['GET /conversations/get-messages', getMessages],
  'artists-list': ['GET /artists', listArtists],
  'flash-listByArtist': [
    'GET /flash/artist/{id}/paginated',
    listVisible('flash', 'flash', listing),
  ],
  'gallery-listByArtist': [
    'GET /gallery/artist/{id}/paginated',
    listVisible('gallery', 'photos', photo),
  ],
} as const satisfies Record<string, readonly [string, (request: Request) => Outcome]>;
export type Operation = keyof typeof endpoints;

/**
 * What a call does. It checks the token, then the body and the query, then whether the documents exist, then whether
 * they are the caller's. A refused call changes nothing.
 */
export function perform(call: Call, moment: Moment): Outcome {
  return answered(() => {
    const { operation, caller } = call;
    const isPublic = operation === 'artists-list' || operation.endsWith('listByArtist');
    demand(isPublic || caller !== undefined, 'unauthenticated');
    const [, run]: readonly [string, (request: Request) => Outcome] = endpoints[operation];
    return run({ ...call, caller: caller ?? '', ...moment });
  }, moment.documents);
}

// The operations that change something.

/** Sets the caller's counter of new notifications to 0. A body is ignored. */
function resetNewNotifications({ caller, documents }: Request): Outcome {
  const path = `users/${caller}`;
  demand(path in documents, 'not-found');
  return ok({ success: true }, changed(documents, path, { newNotificationsCount: 0 }));
}

/** Replaces a schedule as a whole: an optional field that is not sent is removed. `createdAt` stays as it is. */
function updateAvailability(request: Request): Outcome {
  const { artistId, availabilityId, isActive, weeklySlots, ...dates } = bodyOf(request);
  const { dateRangeType, effectiveFrom, effectiveUntil, createdAt, updatedAt } = dates;
  const until = effectiveUntil ?? undefined;
  const days = requestedDays(dates.rollingDays);
  valid(isId(artistId) && isId(availabilityId));
  valid(typeof isActive === 'boolean' && isWeek(weeklySlots));
  valid(isTime(effectiveFrom) && isTime(createdAt) && isTime(updatedAt));
  valid(until === undefined || isTime(until));
  valid(['indefinitely', 'specific', 'rolling'].includes(String(dateRangeType)));
  valid(dateRangeType !== 'specific' || (until !== undefined && until > effectiveFrom));
  valid(dateRangeType !== 'rolling' || days !== undefined);
  const path = `availability/${availabilityId}`;
  const [stored = {}] = owned([path], request);
  demand(artistId === request.caller, 'permission-denied');
  const schedule = {
    ...{ isActive, weeklySlots, dateRangeType, effectiveFrom },
    ...{ effectiveUntil: until, rollingDays: days, updatedAt: updateTime([stored], request) },
  };
  return ok({ success: true }, changed(request.documents, path, schedule));
}

/** Replaces the title and the times of an event. */
function editUnavailableEvent(request: Request): Outcome {
  const { id, title, date, startTime, endTime } = bodyOf(request);
  valid(isId(id) && isText(title) && title !== '' && Array.from(title).length <= 200);
  valid(isTime(date) && isTime(startTime) && isTime(endTime) && endTime > startTime);
  const path = `unavailableEvents/${id}`;
  owned([path], request);
  const event = { title, date, startTime, endTime };
  const body = { success: true, message: 'The unavailable event was updated.' };
  return ok(body, changed(request.documents, path, event));
}

/** Removes the first session with this number. The others stay exactly as they are stored. */
function deleteSession(request: Request): Outcome {
  const { bookingId, sessionNumber } = bodyOf(request);
  valid(isId(bookingId) && isNumber(sessionNumber));
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
  const orders = flashUpdates.map(({ order }) => order);
  valid(isIdList(ids) && new Set(ids).size === ids.length);
  valid(orders.every((order) => isWhole(order) && order >= 0));
  // -0 is 0.
  return ok(
    { success: true },
    changedListings(ids, (index) => ({ order: Number(orders[index]) + 0 }), request),
  );
}

/** Makes listings available or unavailable, all or none, whatever they were. A repeated id counts once. */
function mark(isAvailable: boolean) {
  return (request: Request): Outcome => {
    const { flashIds } = bodyOf(request);
    valid(isIdList(flashIds));
    const ids = [...new Set(flashIds)];
    const body = { success: true, updatedCount: ids.length };
    return ok(
      body,
      changedListings(ids, () => ({ isAvailable }), request),
    );
  };
}

/** The documents after a change of listings. */
function changedListings(
  ids: readonly string[],
  fieldsOf: (index: number) => Data,
  request: Request,
) {
  const paths = ids.map((id) => `flash/${id}`);
  const updatedAt = updateTime(owned(paths, request), request);
  return paths.reduce(
    (documents, path, index) => changed(documents, path, { ...fieldsOf(index), updatedAt }),
    request.documents,
  );
}

/** Deletes photos, all or none. A repeated id counts once. What is gone is 404, also for the second of two at once. */
function removePhotos(request: Request): Outcome {
  const { query = {}, body, documents } = request;
  // Some clients drop the body of a DELETE.
  const named = 'photoIds' in query ? [query.photoIds].flat() : undefined;
  const photoIds = body === undefined ? named : bodyOf(request).photoIds;
  valid(isIdList(photoIds));
  const paths = photoIds.map((id) => `gallery/${id}`);
  owned(paths, request);
  const left = Object.entries(documents).filter(([path]) => !paths.includes(path));
  return ok({ success: true }, Object.fromEntries(left));
}

/** The documents with these paths. All must exist, and belong to the caller by what is stored. */
function owned(paths: readonly string[], { documents, caller }: Request): Data[] {
  const found = paths.flatMap((path) => (documents[path] ? [documents[path]] : []));
  demand(found.length === paths.length, 'not-found');
  demand(
    found.every(({ artistId }) => artistId === caller),
    'permission-denied',
  );
  return found;
}

/** The documents after a change of one. A field that is undefined is removed. */
function changed(documents: Documents, path: string, fields: Data): Documents {
  const data = Object.entries({ ...documents[path], ...fields });
  return {
    ...documents,
    [path]: Object.fromEntries(data.filter(([, value]) => value !== undefined)),
  };
}

/** `updatedAt` of all documents becomes the server's time, or the latest time stored in them, if that is later. */
function updateTime(stored: readonly Data[], { now }: Request): number {
  return Math.max(now, ...stored.map(({ updatedAt }) => timeOf(updatedAt)).filter(isTime));
}

// The operations that read.

/** The messages of a conversation, newest first, for its participants. */
function getMessages(request: Request): Outcome {
  const page = pageOf(request, 100, 50);
  const { conversationId } = request.query ?? {};
  valid(isId(conversationId));
  const conversation = request.documents[`conversations/${conversationId}`];
  demand(conversation !== undefined, 'not-found');
  const { participantIds: ids } = conversation;
  demand(Array.isArray(ids) && ids.includes(request.caller), 'permission-denied');
  const collection = `conversations/${conversationId}/messages`;
  const list = { collection, has: () => true, orderBy: 'timestamp', isNewestFirst: true };
  return readPage(list, page, request, (elements, hasMore, documents) =>
    ok({ messages: elements.map(message), ...end(elements, hasMore) }, documents),
  );
}

/** An artist's visible documents, by `order`. They are counted at a moment of their own. */
function listVisible(collection: string, name: string, shape: Shape) {
  return (request: Request): Outcome => {
    const page = pageOf(request, 50, 20);
    const { artistId } = request;
    valid(isId(artistId));
    const has = (data: Data) => data.artistId === artistId && data.isVisible === true;
    const list = { collection, has, orderBy: 'order' };
    return readPage(list, page, request, (elements, isFollowed) => ({
      when: 'anytime',
      next: (documents) => {
        const count = elementsOf(list, documents).length;
        const isCounted = page.cursor === undefined && elements.length === page.limit;
        const hasMore = isCounted ? count > page.limit : isFollowed;
        const total = Math.max(count, elements.length + Number(hasMore));
        const body = { [name]: elements.map(shape), total, ...end(elements, hasMore) };
        return ok(body, documents);
      },
    }));
  };
}

/** All verified artists, by id. */
function listArtists({ documents }: Request): Outcome {
  const has = ({ userType, artistInfo }: Data) =>
    userType === 'artist' && isMap(artistInfo) && artistInfo.isVerified === true;
  return ok(elementsOf({ collection: 'users', has }, documents).map(artist), documents);
}

interface List {
  readonly collection: string;
  readonly has: (data: Data) => boolean;
  /** The field that orders the list; equal ones by id. A document without the field is not in the list. */
  readonly orderBy?: string;
  readonly isNewestFirst?: boolean;
}

/** Where an element stands in its list. */
export type Place = readonly [kind: number, value: number | string, id: string];

/** The place of a document whose list is ordered by this value. Firestore has an order of kinds, too. */
export function placeOf(value: unknown, id: string): Place {
  if (value === null) return [0, 0, id];
  if (typeof value === 'boolean') return [1, Number(value), id];
  if (isRaw(value) && value.doubleValue === 'NaN') return [2, -Infinity, id];
  if (isRaw(value) && 'timestampValue' in value) return [3, timeOf(value) ?? 0, id];
  return typeof value === 'string' ? [4, value, id] : [2, numberOf(value) ?? 0, id];
}

function isBefore({ isNewestFirst = false }: List, one: Place, other: Place): boolean {
  const index = one.findIndex((part, at) => part !== other[at]);
  return index >= 0 && (one[index] ?? 0) < (other[index] ?? 0) !== isNewestFirst;
}

interface Element {
  readonly id: string;
  readonly data: Data;
  readonly place: Place;
}

function elementsOf(list: List, documents: Documents): Element[] {
  const { collection, has, orderBy } = list;
  return Object.entries(documents)
    .filter(([path, data]) => path.replace(/\/[^/]*$/, '') === collection && has(data))
    .filter(([, data]) => orderBy === undefined || orderBy in data)
    .map(([path, data]) => {
      const id = path.slice(collection.length + 1);
      return { id, data, place: placeOf(orderBy === undefined ? null : data[orderBy], id) };
    })
    .sort((one, other) => (isBefore(list, one.place, other.place) ? -1 : 1));
}

/** Reads first where the cursor's element stands, unless this instance remembers it, and then the elements after it. */
function readPage(
  list: List,
  { limit, cursor }: ReturnType<typeof pageOf>,
  { documents, place }: Moment,
  finish: (elements: readonly Element[], isFollowed: boolean, documents: Documents) => Outcome,
): Outcome {
  const after = (start?: Place) => (now: Documents) => {
    const isAfter = (element: Element) => !start || isBefore(list, start, element.place);
    const rest = elementsOf(list, now).filter(isAfter);
    return finish(rest.slice(0, limit), rest.length > limit, now);
  };
  if (cursor === undefined || place !== undefined) return after(place)(documents);
  const last = elementsOf(list, documents).find(({ id }) => id === cursor);
  demand(last !== undefined, 'cursor-not-found');
  return { when: 'later', next: after(last.place) };
}

/** The end of a page. `nextCursor` is the id of its last element. */
function end(elements: readonly Element[], hasMore: boolean) {
  return { hasMore, ...(hasMore && { nextCursor: elements.at(-1)?.id }) };
}

function pageOf({ query = {} }: Call, most: number, usual: number) {
  const { limit = String(usual), cursor } = query;
  valid(typeof limit === 'string' && /^\d+$/.test(limit));
  valid(Number(limit) >= 1 && Number(limit) <= most);
  valid(cursor === undefined || isId(cursor));
  return { limit: Number(limit), cursor };
}

class Refusal extends Error {
  readonly code: Code;

  constructor(code: Code) {
    super(code);
    this.code = code;
  }
}

function demand(isMet: boolean, code: Code): asserts isMet {
  if (!isMet) throw new Refusal(code);
}

function valid(isMet: boolean): asserts isMet {
  demand(isMet, 'invalid-argument');
}

/** Runs a step; a refusal becomes its answer. */
export function answered(step: Step, documents: Documents): Outcome {
  try {
    return step(documents);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { answer: { status: STATUSES[error.code], code: error.code }, documents };
  }
}

function ok(body: unknown, documents: Documents): Outcome {
  return { answer: { status: 200, body }, documents };
}

/** The body must be a JSON object. Fields that the operation does not know are ignored. */
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
