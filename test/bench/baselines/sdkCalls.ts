/**
 * The service's Firestore calls with the Admin SDK, with the same masks and preconditions; shared by the SDK baselines.
 */
import {
  FieldPath,
  FieldValue,
  type DocumentSnapshot,
  type Firestore,
  type Query,
  type QueryDocumentSnapshot,
  type WriteBatch,
} from 'firebase-admin/firestore';

/** A parsed request, not validated. */
export interface Sent {
  readonly uid: string;
  readonly artistId: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The work of an endpoint; returns the body of its response. */
export type Work = (firestore: Firestore, sent: Sent) => Promise<unknown>;

/** The fields that queries select. */
const FIELDS = (process.env.BENCH_FIELDS ?? '').split(',');

/** The service's batch size for reading artists. */
const PART = 250;

function withId(document: DocumentSnapshot): object {
  return { ...document.data(), id: document.id };
}

/** A page's documents, with `hasMore` and `nextCursor`. */
function position(docs: readonly QueryDocumentSnapshot[], hasMore: boolean): object {
  const end = hasMore ? docs.at(-1) : undefined;
  return { hasMore, ...(end && { nextCursor: end.id }) };
}

function page(name: 'flash' | 'gallery', field: 'flash' | 'photos'): Work {
  return async (firestore, { artistId, query }) => {
    const collection = firestore.collection(name);
    const list = collection
      .where('artistId', '==', artistId)
      .where('isVisible', '==', true)
      .orderBy('order')
      .orderBy(FieldPath.documentId());
    const limit = Number(query.limit ?? 20);
    if (query.cursor === undefined) {
      const [found, counted] = await Promise.all([
        list
          .select(...FIELDS)
          .limit(limit)
          .get(),
        list.count().get(),
      ]);
      const total = counted.data().count;
      const { docs } = found;
      return { [field]: docs.map(withId), total, ...position(docs, total > docs.length) };
    }
    const mask = ['artistId', 'isVisible', 'order'];
    const [cursor] = await firestore.getAll(collection.doc(query.cursor), { fieldMask: mask });
    if (cursor?.get('artistId') !== artistId) throw new Error('Not in this list');
    const [found, counted] = await Promise.all([
      list
        .select(...FIELDS)
        .startAfter(cursor.get('order'), cursor.id)
        .limit(limit + 1)
        .get(),
      list.count().get(),
    ]);
    const docs = found.docs.slice(0, limit);
    const { count: total } = counted.data();
    return { [field]: docs.map(withId), total, ...position(docs, found.size > limit) };
  };
}

/** Reads documents, checks their owner, and commits changes on condition that none has changed since. */
async function change(
  firestore: Firestore,
  { name, ids, uid, mask = [] }: Changed,
  write: (batch: WriteBatch, document: DocumentSnapshot) => void,
): Promise<void> {
  const collection = firestore.collection(name);
  const documents = await firestore.getAll(...ids.map((id) => collection.doc(id)), {
    fieldMask: ['artistId', ...mask],
  });
  if (documents.some((document) => document.get('artistId') !== uid)) throw new Error('Not yours');
  const batch = firestore.batch();
  for (const document of documents) write(batch, document);
  await batch.commit();
}

interface Changed {
  readonly name: string;
  readonly ids: readonly string[];
  readonly uid: string;
  readonly mask?: readonly string[];
}

function replace(batch: WriteBatch, document: DocumentSnapshot, fields: object): void {
  const { ref, updateTime } = document;
  batch.update(ref, { ...fields }, updateTime === undefined ? {} : { lastUpdateTime: updateTime });
}

function mark(isAvailable: boolean): Work {
  return async (firestore, { uid, body }) => {
    const ids = body.flashIds as string[];
    const updatedAt = Date.now();
    await change(firestore, { name: 'flash', ids, uid }, (batch, document) => {
      replace(batch, document, { isAvailable, updatedAt });
    });
    return { success: true, updatedCount: ids.length };
  };
}

async function listArtists(firestore: Firestore): Promise<object[]> {
  const list: Query = firestore
    .collection('users')
    .where('userType', '==', 'artist')
    .where('artistInfo.isVerified', '==', true)
    .orderBy(FieldPath.documentId())
    .select(...FIELDS);
  const artists: object[] = [];
  let next: Promise<FirebaseFirestore.QuerySnapshot> | undefined = list.limit(PART).get();
  while (next !== undefined) {
    const found: FirebaseFirestore.QuerySnapshot = await next;
    const last = found.docs.at(PART - 1);
    next = last && list.startAfter(last.id).limit(PART).get();
    artists.push(...found.docs.map(withId));
  }
  return artists;
}

/** The work of each endpoint by name of its function. */
export const WORK: Readonly<Record<string, Work>> = {
  'artists-list': listArtists,
  'flash-listByArtist': page('flash', 'flash'),
  'gallery-listByArtist': page('gallery', 'photos'),
  'conversations-getMessages': async (firestore, { uid, query }) => {
    const conversation = firestore.doc(`conversations/${query.conversationId ?? ''}`);
    const [found] = await firestore.getAll(conversation, {
      fieldMask: ['participantIds', 'timestamp'],
    });
    if (!(found?.get('participantIds') as string[]).includes(uid)) throw new Error('Not yours');
    const limit = Number(query.limit ?? 50);
    const { docs } = await conversation
      .collection('messages')
      .orderBy('timestamp', 'desc')
      .orderBy(FieldPath.documentId(), 'desc')
      .select(...FIELDS)
      .limit(limit + 1)
      .get();
    const shown = docs.slice(0, limit);
    return { messages: shown.map(withId), ...position(shown, docs.length > limit) };
  },
  'availability-updateAvailability': async (firestore, { uid, body }) => {
    const { isActive, weeklySlots, dateRangeType, effectiveFrom, rollingDays } = body;
    const ids = [String(body.availabilityId)];
    await change(firestore, { name: 'availability', ids, uid }, (batch, document) => {
      replace(batch, document, {
        ...{ isActive, weeklySlots, dateRangeType, effectiveFrom, rollingDays },
        effectiveUntil: FieldValue.delete(),
        updatedAt: Date.now(),
      });
    });
    return { success: true };
  },
  'bookings-deleteSession': async (firestore, { uid, body }) => {
    const { bookingId, sessionNumber } = body;
    const changed = { name: 'bookings', ids: [String(bookingId)], uid, mask: ['sessions'] };
    await change(firestore, changed, (batch, booking) => {
      const sessions = booking.get('sessions') as { sessionNumber: number }[];
      replace(batch, booking, {
        sessions: sessions.filter((session) => session.sessionNumber !== sessionNumber),
      });
    });
    return { message: `Session ${String(sessionNumber)} was deleted from the booking.`, bookingId };
  },
  'flash-markAsAvailable': mark(true),
  'flash-markAsUnavailable': mark(false),
  'flash-reorder': async (firestore, { uid, body }) => {
    const updates = body.flashUpdates as { id: string; order: number }[];
    const orders = new Map(updates.map(({ id, order }) => [id, order]));
    const updatedAt = Date.now();
    await change(firestore, { name: 'flash', ids: [...orders.keys()], uid }, (batch, document) => {
      replace(batch, document, { order: orders.get(document.id), updatedAt });
    });
    return { success: true };
  },
  'gallery-removePhotos': async (firestore, { uid, body }) => {
    const ids = body.photoIds as string[];
    await change(firestore, { name: 'gallery', ids, uid }, (batch, { ref, updateTime }) => {
      batch.delete(ref, updateTime === undefined ? {} : { lastUpdateTime: updateTime });
    });
    return { success: true };
  },
  'notifications-resetNewNotifications': async (firestore, { uid }) => {
    const [user] = await firestore.getAll(firestore.doc(`users/${uid}`), {
      fieldMask: ['newNotificationsCount'],
    });
    if (user === undefined || user.get('newNotificationsCount') === 0) return { success: true };
    const batch = firestore.batch();
    replace(batch, user, { newNotificationsCount: 0 });
    await batch.commit();
    return { success: true };
  },
  'unavailableEvents-editUnavailableEvent': async (firestore, { uid, body }) => {
    const { id, title, date, startTime, endTime } = body;
    const changed = { name: 'unavailableEvents', ids: [String(id)], uid };
    await change(firestore, changed, (batch, document) => {
      replace(batch, document, { title, date, startTime, endTime });
    });
    return { success: true, message: 'The unavailable event was updated.' };
  },
};
