import { initializeApp } from 'firebase-admin/app';
import { FieldValue, getFirestore, Timestamp } from 'firebase-admin/firestore';
import { onDocumentCreated } from 'firebase-functions/firestore';
import { databaseId, region, serviceAccount } from '@tattoo-marketplace/endpoints';

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
  async ({ id, params: { conversationId }, data: message }) => {
    const firestore = getFirestore(initializeApp(), databaseId.value());
    const marker = firestore.doc(`processedEvents/countMessage-${id}`);
    const conversation = firestore.doc(`conversations/${conversationId}`);
    await firestore.runTransaction(async (transaction) => {
      const [processed, stored] = await transaction.getAll(marker, conversation);
      if (processed?.exists) return;
      const uids = (stored?.get('participantIds') ?? []) as string[];
      const recipients = uids.filter((uid) => uid !== message?.get('senderId'));
      const users = await Promise.all(
        recipients.map((uid) => transaction.get(firestore.doc(`users/${uid}`))),
      );
      const expiresAt = Timestamp.fromMillis(Date.now() + MARKER_LIFETIME_MS);
      transaction.create(marker, { expiresAt });
      for (const { exists, ref } of users) {
        // A deleted user has no counter.
        if (exists) transaction.update(ref, { newNotificationsCount: FieldValue.increment(1) });
      }
    });
  },
);
