/** Handlers that make the service's calls with the Admin SDK and send JSON, and do nothing else. */
import { constants, gzipSync } from 'node:zlib';
import type { HttpFunction, Request } from '@google-cloud/functions-framework';
import { initializeApp } from 'firebase-admin/app';
import { FieldPath, getFirestore, type DocumentSnapshot } from 'firebase-admin/firestore';
import { disableDomains } from '@tattoo-marketplace/endpoints';

const { BENCH_TRANSPORT, BENCH_REST = '', BENCH_GRPC = '' } = process.env;

disableDomains();
const firestore = getFirestore(initializeApp());
firestore.settings(
  BENCH_TRANSPORT === 'rest'
    ? { host: BENCH_REST, ssl: true, preferRest: true }
    : { host: BENCH_GRPC, ssl: true },
);

async function listFlash({ path, query }: Request): Promise<object> {
  const list = firestore
    .collection('flash')
    .where('artistId', '==', path.split('/')[3])
    .where('isVisible', '==', true)
    .orderBy('order')
    .orderBy(FieldPath.documentId());
  const { limit, cursor } = query as { limit: string; cursor?: string };
  let page = list.limit(Number(limit) + 1);
  if (cursor !== undefined) {
    const last = await read(`flash/${cursor}`, 'artistId', 'isVisible', 'order');
    page = page.startAfter(last?.get('order'), cursor);
  }
  const [{ docs }, count] = await Promise.all([page.get(), list.count().get()]);
  const flash = docs.slice(0, Number(limit)).map(toItem);
  const hasMore = docs.length > flash.length;
  const next = hasMore ? { nextCursor: flash.at(-1)?.id } : {};
  return { flash, total: count.data().count, hasMore, ...next };
}

async function listArtists(): Promise<object> {
  const { docs } = await firestore
    .collection('users')
    .where('userType', '==', 'artist')
    .where('artistInfo.isVerified', '==', true)
    .orderBy(FieldPath.documentId())
    .get();
  return docs.map(toItem);
}

async function markAsAvailable({ body }: Request): Promise<object> {
  const { flashIds } = body as { flashIds: string[] };
  const references = flashIds.map((id) => firestore.doc(`flash/${id}`));
  const listings = await firestore.getAll(...references, { fieldMask: ['artistId'] });
  const batch = firestore.batch();
  const changes = { isAvailable: true, updatedAt: Date.now() };
  for (const { ref, updateTime } of listings) {
    batch.update(ref, changes, updateTime && { lastUpdateTime: updateTime });
  }
  await batch.commit();
  return { success: true, updatedCount: flashIds.length };
}

async function deleteSession({ body }: Request): Promise<object> {
  const { bookingId, sessionNumber } = body as { bookingId: string; sessionNumber: number };
  const booking = await read(`bookings/${bookingId}`, 'artistId', 'sessions');
  const sessions = booking?.get('sessions') as { sessionNumber: number }[];
  const index = sessions.findIndex((session) => session.sessionNumber === sessionNumber);
  const condition = booking?.updateTime && { lastUpdateTime: booking.updateTime };
  await booking?.ref.update({ sessions: sessions.toSpliced(index, 1) }, condition);
  return { message: `Session ${sessionNumber} was deleted from the booking.`, bookingId };
}

async function read(path: string, ...fieldMask: string[]): Promise<DocumentSnapshot | undefined> {
  return (await firestore.getAll(firestore.doc(path), { fieldMask }))[0];
}

function toItem(document: DocumentSnapshot): { readonly id: string } {
  return { ...document.data(), id: document.id };
}

/** Creates a function that responds with the result of `work`. */
function createHandler(work: (request: Request) => Promise<object>): HttpFunction {
  return async (request, response) => {
    const json = Buffer.from(JSON.stringify(await work(request)));
    // Like the service, compress from 1 KiB on this thread. `response.json` would compute an ETag.
    const isCompressed = json.length >= 1024;
    if (isCompressed) response.setHeader('Content-Encoding', 'gzip');
    response
      .setHeader('Content-Type', 'application/json')
      .end(isCompressed ? gzipSync(json, { level: constants.Z_BEST_SPEED }) : json);
  };
}

export const artists = { list: createHandler(listArtists) };
export const bookings = { deleteSession: createHandler(deleteSession) };
export const flash = {
  listByArtist: createHandler(listFlash),
  markAsAvailable: createHandler(markAsAvailable),
};
