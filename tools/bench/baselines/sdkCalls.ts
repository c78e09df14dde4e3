/**
 * The service's Firestore calls with the Admin SDK, with the same masks and preconditions; shared by the SDK baselines.
 */
import {
  FieldPath,
  type DocumentData,
  type DocumentSnapshot,
  type Firestore,
  type QueryDocumentSnapshot,
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

function withId(document: DocumentSnapshot): object {
  return { ...document.data(), id: document.id };
}

/** `hasMore` and `nextCursor`. */
function position(docs: readonly QueryDocumentSnapshot[], hasMore: boolean): object {
  const end = hasMore ? docs.at(-1) : undefined;
  return { hasMore, ...(end && { nextCursor: end.id }) };
}

async function listFlash(firestore: Firestore, { artistId, query }: Sent): Promise<object> {
  const collection = firestore.collection('flash');
  const list = collection
    .where('artistId', '==', artistId)
    .where('isVisible', '==', true)
    .orderBy('order')
    .orderBy(FieldPath.documentId());
  const limit = Number(query.limit ?? 20);
  let page = list.select(...FIELDS).limit(limit);
  if (query.cursor !== undefined) {
    const mask = ['artistId', 'isVisible', 'order'];
    const [cursor] = await firestore.getAll(collection.doc(query.cursor), { fieldMask: mask });
    if (cursor?.get('artistId') !== artistId) throw new Error('Not in this list');
    page = page.startAfter(cursor.get('order'), cursor.id).limit(limit + 1);
  }
  const [found, counted] = await Promise.all([page.get(), list.count().get()]);
  const total = counted.data().count;
  const flash = found.docs.slice(0, limit);
  const hasMore = query.cursor === undefined ? total > flash.length : found.size > limit;
  return { flash: flash.map(withId), total, ...position(flash, hasMore) };
}

async function listMessages(firestore: Firestore, { uid, query }: Sent): Promise<object> {
  const conversation = firestore.doc(`conversations/${query.conversationId ?? ''}`);
  const mask = ['participantIds', 'timestamp'];
  const [found] = await firestore.getAll(conversation, { fieldMask: mask });
  if (!(found?.get('participantIds') as string[]).includes(uid)) throw new Error('Not yours');
  const limit = Number(query.limit ?? 50);
  const { docs } = await conversation
    .collection('messages')
    .orderBy('timestamp', 'desc')
    .orderBy(FieldPath.documentId(), 'desc')
    .select(...FIELDS)
    .limit(limit + 1)
    .get();
  const messages = docs.slice(0, limit);
  return { messages: messages.map(withId), ...position(messages, docs.length > limit) };
}

/** Reads documents, checks them, and changes all of them on condition that none has changed since. */
async function change(
  firestore: Firestore,
  paths: readonly string[],
  mask: string,
  isAllowed: (document: DocumentSnapshot) => boolean,
  fields: DocumentData,
): Promise<void> {
  const documents = await firestore.getAll(...paths.map((path) => firestore.doc(path)), {
    fieldMask: [mask],
  });
  if (!documents.every(isAllowed)) throw new Error('Not yours');
  const batch = firestore.batch();
  for (const { ref, updateTime } of documents) {
    batch.update(ref, fields, updateTime === undefined ? {} : { lastUpdateTime: updateTime });
  }
  await batch.commit();
}

/** The work of each measured endpoint by name of its function. */
export const WORK: Readonly<Record<string, Work>> = {
  'flash-listByArtist': listFlash,
  'conversations-getMessages': listMessages,
  'flash-markAsAvailable': async (firestore, { uid, body }) => {
    const ids = body.flashIds as string[];
    const paths = ids.map((id) => `flash/${id}`);
    const isOwn = (listing: DocumentSnapshot) => listing.get('artistId') === uid;
    const fields = { isAvailable: true, updatedAt: Date.now() };
    await change(firestore, paths, 'artistId', isOwn, fields);
    return { success: true, updatedCount: ids.length };
  },
  'notifications-resetNewNotifications': async (firestore, { uid }) => {
    const field = 'newNotificationsCount';
    const exists = (user: DocumentSnapshot) => user.exists;
    await change(firestore, [`users/${uid}`], field, exists, { [field]: 0 });
    return { success: true };
  },
};
