/** A bare handler that makes the service's calls with the Admin SDK and sends JSON, and does nothing else. */
import type { HttpFunction } from '@google-cloud/functions-framework';
import { initializeApp } from 'firebase-admin/app';
import { FieldPath, getFirestore, type DocumentSnapshot } from 'firebase-admin/firestore';
import { constants, gzipSync } from 'node:zlib';
import { disableDomains } from '../../../functions/src/platform/functionsFramework.ts';

/** A parsed request, not validated. */
interface Sent {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

const { BENCH_OWNER, BENCH_GRPC = '', BENCH_FIELDS = '', BENCH_ARTIST_FIELDS = '' } = process.env;

disableDomains();
const firestore = getFirestore(initializeApp());
firestore.settings({ host: BENCH_GRPC, ssl: true });

async function listFlash({ path, query }: Sent): Promise<object> {
  const collection = firestore.collection('flash');
  const list = collection
    .where('artistId', '==', path.split('/')[3])
    .where('isVisible', '==', true)
    .orderBy('order')
    .orderBy(FieldPath.documentId());
  const limit = Number(query.limit);
  let page = list.select(...BENCH_FIELDS.split(',')).limit(limit + 1);
  if (query.cursor !== undefined) {
    const cursor = await readOwn(`flash/${query.cursor}`, 'isVisible', 'order');
    page = page.startAfter(cursor.get('order'), cursor.id);
  }
  const [{ docs }, counted] = await Promise.all([page.get(), list.count().get()]);
  const flash = docs.slice(0, limit).map(elementOf);
  const hasMore = docs.length > limit;
  const next = hasMore ? { nextCursor: flash.at(-1)?.id } : {};
  return { flash, total: counted.data().count, hasMore, ...next };
}

async function listArtists(): Promise<object> {
  const list = firestore
    .collection('users')
    .where('userType', '==', 'artist')
    .where('artistInfo.isVerified', '==', true)
    .orderBy(FieldPath.documentId());
  const { docs } = await list.select(...BENCH_ARTIST_FIELDS.split(',')).get();
  return docs.map(elementOf);
}

async function markAsAvailable({ body }: Sent): Promise<object> {
  const references = (body.flashIds as string[]).map((id) => firestore.doc(`flash/${id}`));
  const listings = await firestore.getAll(...references, { fieldMask: ['artistId'] });
  const batch = firestore.batch();
  for (const listing of listings) {
    requireOwn(listing);
    const { ref, updateTime } = listing;
    const changed = { isAvailable: true, updatedAt: Date.now() };
    batch.update(ref, changed, updateTime && { lastUpdateTime: updateTime });
  }
  await batch.commit();
  return { success: true, updatedCount: references.length };
}

async function deleteSession({ body }: Sent): Promise<object> {
  const { bookingId, sessionNumber } = body as { bookingId: string; sessionNumber: number };
  const booking = await readOwn(`bookings/${bookingId}`, 'sessions');
  const sessions = booking.get('sessions') as { sessionNumber: number }[];
  const index = sessions.findIndex((session) => session.sessionNumber === sessionNumber);
  const { ref, updateTime } = booking;
  const condition = updateTime && { lastUpdateTime: updateTime };
  await ref.update({ sessions: sessions.toSpliced(index, 1) }, condition);
  return { message: `Session ${sessionNumber} was deleted from the booking.`, bookingId };
}

async function readOwn(path: string, ...fields: string[]): Promise<DocumentSnapshot> {
  const fieldMask = ['artistId', ...fields];
  const [document] = await firestore.getAll(firestore.doc(path), { fieldMask });
  requireOwn(document);
  return document;
}

function requireOwn(document?: DocumentSnapshot): asserts document is DocumentSnapshot {
  if (document?.get('artistId') !== BENCH_OWNER) throw new Error('Not yours');
}

function elementOf(document: DocumentSnapshot): { readonly id: string } {
  return { ...document.data(), id: document.id };
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

export const artists = { list: responding(listArtists) };
export const bookings = { deleteSession: responding(deleteSession) };
export const flash = {
  listByArtist: responding(listFlash),
  markAsAvailable: responding(markAsAvailable),
};
