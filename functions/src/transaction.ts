import type { Transaction } from 'firebase-admin/firestore';
import { firestore } from './firestore.ts';

/**
 * How often work is tried that meets others at the same documents: more often than the SDK's 5, so that it is the
 * deadline that ends it. The SDK waits longer each time, and tells Firestore which attempt is the older one.
 */
const MAX_ATTEMPTS = 10;

/**
 * Runs work in a Firestore transaction. It may run several times: it must do nothing but read and write through the
 * transaction.
 */
export async function inTransaction<Result>(
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return firestore().runTransaction(work, { maxAttempts: MAX_ATTEMPTS });
}
