import { setTimeout as delay } from 'node:timers/promises';
import type { Transaction } from 'firebase-admin/firestore';
import { firestore } from './firestore.ts';
import { isContention } from './http/errors.ts';

const MAX_ATTEMPTS = 10;
const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 1600;

/**
 * Runs work in a Firestore transaction, again where it met others at the same documents. The SDK would wait seconds
 * before it tries again, five times at the most: of twenty calls for one booking some would pass their deadline. The
 * work may run several times: it must do nothing but read and write through the transaction.
 */
export async function inTransaction<Result>(
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await firestore().runTransaction(work, { maxAttempts: 1 });
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isContention(error)) throw error;
    }
    const longest = Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS);
    await delay(Math.random() * longest);
  }
}
