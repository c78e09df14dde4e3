/** A bare handler that makes the service's calls with the Admin SDK and sends JSON, and does nothing else. */
import type { HttpFunction } from '@google-cloud/functions-framework';
import { initializeApp } from 'firebase-admin/app';
import {
  FieldPath,
  getFirestore,
  type DocumentSnapshot,
  type UpdateData,
  type WriteBatch,
} from 'firebase-admin/firestore';
import { constants, gzipSync } from 'node:zlib';
import { disableDomains } from '../../../functions/src/platform/functionsFramework.ts';

/** A parsed request, not validated. */
interface Sent {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

const { BENCH_OWNER = '', BENCH_GRPC = '', FIRESTORE_PREFER_REST } = process.env;
const { BENCH_FIELDS = '', BENCH_MESSAGE_FIELDS = '' } = process.env;

disableDomains();
const firestore = getFirestore(initializeApp());
if (FIRESTORE_PREFER_REST === undefined) firestore.settings({ host: BENCH_GRPC, ssl: true });

async function listFlash({ path, query }: Sent): Promise<object> {
  const collection = firestore.collection('flash');
  const list = collection
    .where('artistId', '==', path.split('/')[3])
    .where('isVisible', '==', true)
    .orderBy('order')
    .orderBy(FieldPath.documentId());
  const limit = Number(query.limit);
  let page = list.select(...BENCH_FIELDS.split(',')).limit(limit);
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

async function getMessages({ query }: Sent): Promise<object> {
  const conversation = firestore.doc(`conversations/${query.conversationId ?? ''}`);
  const [found] = await firestore.getAll(conversation, { fieldMask: ['participantIds'] });
  const participantIds = found?.get('participantIds') as string[];
  if (!participantIds.includes(BENCH_OWNER)) throw new Error('Not yours');
  const limit = Number(query.limit);
  const { docs } = await conversation
    .collection('messages')
    .orderBy('timestamp', 'desc')
    .orderBy(FieldPath.documentId(), 'desc')
    .select(...BENCH_MESSAGE_FIELDS.split(','))
    .limit(limit + 1)
    .get();
  const messages = docs
    .slice(0, limit)
    .map((document) => ({ ...document.data(), id: document.id }));
  const hasMore = docs.length > limit;
  return { messages, hasMore, ...(hasMore && { nextCursor: messages.at(-1)?.id }) };
}

async function markAsAvailable({ body }: Sent): Promise<object> {
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

async function deleteSession({ body }: Sent): Promise<object> {
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
  if (document?.get('artistId') !== BENCH_OWNER) throw new Error('Not yours');
}

/** Changes a document on condition that it has not changed since it was read. */
function change(
  { ref, updateTime }: DocumentSnapshot,
  fields: UpdateData<object>,
  batch: WriteBatch,
): void {
  batch.update(ref, fields, updateTime === undefined ? {} : { lastUpdateTime: updateTime });
}

/** A function that responds with the result of some work. */
function responding(work: (sent: Sent) => Promise<object>): HttpFunction {
  return async (request, response) => {
    const json = Buffer.from(JSON.stringify(await work(request as Sent)));
    // Compressed from 1 KiB and on this thread, like the service. Not response.json, which computes an ETag.
    const isCompressed = json.length >= 1024;
    if (isCompressed) response.setHeader('Content-Encoding', 'gzip');
    response
      .setHeader('Content-Type', 'application/json')
      .end(isCompressed ? gzipSync(json, { level: constants.Z_BEST_SPEED }) : json);
  };
}

export const flash = {
  listByArtist: responding(listFlash),
  markAsAvailable: responding(markAsAvailable),
};
export const conversations = { getMessages: responding(getMessages) };
export const bookings = { deleteSession: responding(deleteSession) };
