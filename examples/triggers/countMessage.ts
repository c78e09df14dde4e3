import { initializeApp } from 'firebase-admin/app';
import { FieldValue, getFirestore, Timestamp } from 'firebase-admin/firestore';
import { onDocumentCreated } from 'firebase-functions/firestore';
import { readDocument } from '@tattoo-marketplace/collections';
import {
  databaseId,
  isDocumentId,
  region,
  runInBackground,
  serviceAccount,
} from '@tattoo-marketplace/endpoints';
import { conversations } from '../../functions/src/conversations/message.ts';

/** The lifetime of a marker, in ms. It exceeds the time during which the platform redelivers an event. */
const MARKER_LIFETIME_MS = 14 * 24 * 60 * 60 * 1000;

/**
 * Counts a new message once for each participant of the conversation except its sender. An event may be delivered more than
 * once, so the transaction also stores a marker with the event's ID. With `retry`, the platform redelivers an event whose
 * function throws for up to a day: do not throw for an event that can never be processed. A TTL policy deletes old markers:
 *
 * gcloud firestore fields ttls update expiresAt --collection-group=processedEvents --enable-ttl
 */
export const countMessage = onDocumentCreated(
  {
    document: 'conversations/{conversationId}/messages/{messageId}',
    database: databaseId.param,
    region: region.param,
    serviceAccount: serviceAccount.param,
    retry: true,
  },
  ({ id, params: { conversationId }, data: message }) =>
    runInBackground(
      async () => {
        const participants = await listParticipants(conversationId);
        const senderId: unknown = message?.get('senderId');
        const recipients = participants.filter((uid) => uid !== senderId);
        await countOnce(`processedEvents/countMessage-${id}`, recipients);
      },
      { deadlineSeconds: 30 },
    ),
);

/** Lists the participants of a conversation, each once. Stored lists may have other values than ids. */
async function listParticipants(conversationId: string): Promise<readonly string[]> {
  const document = { collection: conversations, document: { conversationId } };
  const { participantIds = [] } = await readDocument(document, ['participantIds']);
  return [...new Set(participantIds.filter(isDocumentId))];
}

/** Increments the counters of users, unless the marker exists. Models cannot change documents of several owners. */
async function countOnce(markerPath: string, uids: readonly string[]): Promise<void> {
  const firestore = getFirestore(initializeApp(), databaseId.value());
  const marker = firestore.doc(markerPath);
  const recipients = uids.map((uid) => firestore.doc(`users/${uid}`));
  await firestore.runTransaction(async (transaction) => {
    const [processed, ...users] = await transaction.getAll(marker, ...recipients);
    if (processed?.exists) return;
    const expiresAt = Timestamp.fromMillis(Date.now() + MARKER_LIFETIME_MS);
    transaction.create(marker, { expiresAt });
    for (const { exists, ref } of users) {
      // A deleted user has no counter.
      if (exists) transaction.update(ref, { newNotificationsCount: FieldValue.increment(1) });
    }
  });
}
