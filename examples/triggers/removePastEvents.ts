import { initializeApp } from 'firebase-admin/app';
import { getFirestore, Timestamp } from 'firebase-admin/firestore';
import { onSchedule } from 'firebase-functions/scheduler';
import { databaseId, region, serviceAccount } from '@tattoo-marketplace/endpoints';

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * Deletes events that ended a year ago. It queries for numbers and for `Timestamp`s, which Firestore does not compare with each
 * other. To call it on the local stack:
 *
 * curl -X POST http://127.0.0.1:5001/functions/projects/demo-tattoo/triggers/us-central1-unavailableEvents-removePastEvents-0 \
 *   -H 'Content-Type: application/json' -d '{}'
 */
export const removePastEvents = onSchedule(
  {
    schedule: 'every day 04:00',
    timeZone: 'Etc/UTC',
    region: region.param,
    serviceAccount: serviceAccount.param,
  },
  async () => {
    const firestore = getFirestore(initializeApp(), databaseId.value());
    const collection = firestore.collection('unavailableEvents');
    const yearAgo = Date.now() - YEAR_MS;
    for (const endTime of [yearAgo, Timestamp.fromMillis(yearAgo)]) {
      const query = collection.where('endTime', '<', endTime).limit(500);
      for (let events = await query.get(); !events.empty; events = await query.get()) {
        const batch = firestore.batch();
        for (const { ref } of events.docs) batch.delete(ref);
        await batch.commit();
      }
    }
  },
);
