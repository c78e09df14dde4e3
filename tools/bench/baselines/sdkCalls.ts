/** The service's Firestore calls with the Admin SDK, with the same masks and preconditions. */
import {
  FieldPath,
  type DocumentSnapshot,
  type Firestore,
  type UpdateData,
} from 'firebase-admin/firestore';
import { OWNER } from '../names.ts';

/** A parsed request, not validated. */
interface Sent {
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The fields that the list selects. */
const FIELDS = (process.env.BENCH_FIELDS ?? '').split(',');

async function listFlash(firestore: Firestore, { query }: Sent): Promise<object> {
  const collection = firestore.collection('flash');
  const list = collection
    .where('artistId', '==', OWNER)
    .where('isVisible', '==', true)
    .orderBy('order')
    .orderBy(FieldPath.documentId());
  const limit = Number(query.limit);
  let page = list.select(...FIELDS).limit(limit);
  if (query.cursor !== undefined) {
    const mask = ['artistId', 'isVisible', 'order'];
    const [cursor] = await firestore.getAll(collection.doc(query.cursor), { fieldMask: mask });
    requireOwn(cursor);
    page = page.startAfter(cursor.get('order'), cursor.id).limit(limit + 1);
  }
  const [found, counted] = await Promise.all([page.get(), list.count().get()]);
  const total = counted.data().count;
  const documents = found.docs.slice(0, limit);
  const hasMore =
    query.cursor === undefined ? total > documents.length : found.size > documents.length;
  const nextCursor = documents.at(-1)?.id;
  const flash = documents.map((document) => ({ ...document.data(), id: document.id }));
  return { flash, total, hasMore, ...(hasMore && { nextCursor }) };
}

async function markAsAvailable(firestore: Firestore, { body }: Sent): Promise<object> {
  const ids = body.flashIds as string[];
  const references = ids.map((id) => firestore.doc(`flash/${id}`));
  const listings = await firestore.getAll(...references, { fieldMask: ['artistId'] });
  const batch = firestore.batch();
  for (const listing of listings) {
    requireOwn(listing);
    change(listing, { isAvailable: true, updatedAt: Date.now() }, batch);
  }
  await batch.commit();
  return { success: true, updatedCount: ids.length };
}

async function deleteSession(firestore: Firestore, { body }: Sent): Promise<object> {
  const { bookingId, sessionNumber } = body as { bookingId: string; sessionNumber: number };
  const reference = firestore.doc(`bookings/${bookingId}`);
  const mask = ['artistId', 'sessions'];
  const [booking] = await firestore.getAll(reference, { fieldMask: mask });
  requireOwn(booking);
  const sessions = booking.get('sessions') as { sessionNumber: number }[];
  const index = sessions.findIndex((session) => session.sessionNumber === sessionNumber);
  const batch = firestore.batch();
  change(booking, { sessions: sessions.toSpliced(index, 1) }, batch);
  await batch.commit();
  return { message: `Session ${sessionNumber} was deleted from the booking.`, bookingId };
}

function requireOwn(document?: DocumentSnapshot): asserts document is DocumentSnapshot {
  if (document?.get('artistId') !== OWNER) throw new Error('Not yours');
}

/** Changes a document on condition that it has not changed since it was read. */
function change(
  { ref, updateTime }: DocumentSnapshot,
  fields: UpdateData<object>,
  batch: FirebaseFirestore.WriteBatch,
): void {
  batch.update(ref, fields, updateTime === undefined ? {} : { lastUpdateTime: updateTime });
}

/** The work of each measured endpoint by name of its function; it returns the body of the response. */
export const WORK: Readonly<
  Record<string, (firestore: Firestore, sent: Sent) => Promise<unknown>>
> = {
  'flash-listByArtist': listFlash,
  'flash-markAsAvailable': markAsAvailable,
  'bookings-deleteSession': deleteSession,
};
