/** What each endpoint asks of Firestore, written straight down: shared by the two contenders that serve it by hand. */
import {
  FieldPath,
  type CollectionReference,
  type DocumentSnapshot,
  type Firestore,
} from 'firebase-admin/firestore';

/** What a request says, read but not checked. */
export interface Sent {
  readonly uid: string;
  readonly artistId: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The work of an endpoint: gives the body of its answer. */
export type Work = (firestore: Firestore, sent: Sent) => Promise<unknown>;

function withId(document: DocumentSnapshot): object {
  return { ...document.data(), id: document.id };
}

function page(name: 'flash' | 'gallery', field: 'flash' | 'photos'): Work {
  return async (firestore, { artistId, query }) => {
    const list = firestore
      .collection(name)
      .where('artistId', '==', artistId)
      .where('isVisible', '==', true)
      .orderBy('order')
      .orderBy(FieldPath.documentId());
    const limit = Number(query.limit ?? 20);
    const [found, count] = await Promise.all([list.limit(limit).get(), list.count().get()]);
    const { count: total } = count.data();
    const end = total > found.size ? found.docs.at(-1) : undefined;
    return {
      [field]: found.docs.map(withId),
      total,
      hasMore: end !== undefined,
      ...(end && { nextCursor: end.id }),
    };
  };
}

async function change(
  firestore: Firestore,
  collection: CollectionReference,
  ids: readonly string[],
  uid: string,
  write: (transaction: FirebaseFirestore.Transaction, document: DocumentSnapshot) => void,
): Promise<void> {
  await firestore.runTransaction(async (transaction) => {
    const documents = await transaction.getAll(...ids.map((id) => collection.doc(id)));
    if (documents.some((document) => document.get('artistId') !== uid))
      throw new Error('Not yours');
    for (const document of documents) write(transaction, document);
  });
}

function mark(isAvailable: boolean): Work {
  return async (firestore, { uid, body }) => {
    const ids = body.flashIds as string[];
    const updatedAt = Date.now();
    await change(firestore, firestore.collection('flash'), ids, uid, (transaction, { ref }) => {
      transaction.update(ref, { isAvailable, updatedAt });
    });
    return { success: true, updatedCount: ids.length };
  };
}

/** The work of each endpoint, by the name of its function. */
export const WORK: Readonly<Record<string, Work>> = {
  'artists-list': async (firestore) => {
    const found = await firestore
      .collection('users')
      .where('userType', '==', 'artist')
      .where('artistInfo.isVerified', '==', true)
      .orderBy(FieldPath.documentId())
      .get();
    return found.docs.map(withId);
  },
  'flash-listByArtist': page('flash', 'flash'),
  'gallery-listByArtist': page('gallery', 'photos'),
  'conversations-getMessages': async (firestore, { uid, query }) => {
    const conversation = firestore.doc(`conversations/${query.conversationId ?? ''}`);
    const [found] = await firestore.getAll(conversation);
    if (!(found?.get('participantIds') as string[]).includes(uid)) throw new Error('Not yours');
    const limit = Number(query.limit ?? 50);
    const { docs } = await conversation
      .collection('messages')
      .orderBy('timestamp', 'desc')
      .orderBy(FieldPath.documentId(), 'desc')
      .limit(limit + 1)
      .get();
    return { messages: docs.slice(0, limit).map(withId), hasMore: docs.length > limit };
  },
  'availability-updateAvailability': async (firestore, { uid, body }) => {
    const { isActive, weeklySlots, dateRangeType, effectiveFrom, rollingDays } = body;
    const collection = firestore.collection('availability');
    await change(
      firestore,
      collection,
      [String(body.availabilityId)],
      uid,
      (transaction, { ref }) => {
        transaction.update(ref, {
          ...{ isActive, weeklySlots, dateRangeType, effectiveFrom, rollingDays },
          updatedAt: Date.now(),
        });
      },
    );
    return { success: true };
  },
  'bookings-deleteSession': async (firestore, { uid, body }) => {
    const { bookingId, sessionNumber } = body;
    const collection = firestore.collection('bookings');
    await change(firestore, collection, [String(bookingId)], uid, (transaction, booking) => {
      const sessions = booking.get('sessions') as { sessionNumber: number }[];
      transaction.update(booking.ref, {
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
    const collection = firestore.collection('flash');
    await change(firestore, collection, [...orders.keys()], uid, (transaction, { id, ref }) => {
      transaction.update(ref, { order: orders.get(id), updatedAt });
    });
    return { success: true };
  },
  'gallery-removePhotos': async (firestore, { uid, body }) => {
    const collection = firestore.collection('gallery');
    await change(firestore, collection, body.photoIds as string[], uid, (transaction, { ref }) => {
      transaction.delete(ref);
    });
    return { success: true };
  },
  'notifications-resetNewNotifications': async (firestore, { uid }) => {
    await firestore.doc(`users/${uid}`).update({ newNotificationsCount: 0 });
    return { success: true };
  },
  'unavailableEvents-editUnavailableEvent': async (firestore, { uid, body }) => {
    const { id, ...rest } = body;
    const collection = firestore.collection('unavailableEvents');
    await change(firestore, collection, [String(id)], uid, (transaction, { ref }) => {
      transaction.update(ref, rest);
    });
    return { success: true, message: 'The unavailable event was updated.' };
  },
};
