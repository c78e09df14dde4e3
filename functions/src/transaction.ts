import type {
  DocumentReference,
  DocumentSnapshot,
  ReadOptions,
  Transaction,
  UpdateData,
} from 'firebase-admin/firestore';
import { firestore } from './firestore.ts';
import { recordReads, recordWrites } from './http/requestRecord.ts';

/**
 * How often work is tried that meets others at the same documents: more often than the SDK's 5, so that it is the
 * deadline that ends it. The SDK waits longer each time, and tells Firestore which attempt is the older one.
 */
const MAX_ATTEMPTS = 10;

/** One attempt at a Firestore transaction, its reads and writes recorded for the log. */
export class Attempt {
  readonly #transaction: Transaction;
  /** How many documents this attempt writes. */
  writes = 0;

  constructor(transaction: Transaction) {
    this.#transaction = transaction;
  }

  async getAll(
    references: readonly DocumentReference[],
    options: ReadOptions,
  ): Promise<DocumentSnapshot[]> {
    recordReads(references.length);
    return this.#transaction.getAll(...references, options);
  }

  update(reference: DocumentReference, data: UpdateData<Record<string, unknown>>): void {
    this.writes += 1;
    this.#transaction.update(reference, data);
  }

  delete(reference: DocumentReference): void {
    this.writes += 1;
    this.#transaction.delete(reference);
  }
}

/**
 * Runs work in a Firestore transaction. It may run several times: it must do nothing but read and write through the
 * attempt that it is given.
 */
export async function inTransaction<Result>(
  work: (attempt: Attempt) => Promise<Result>,
): Promise<Result> {
  let attempt: Attempt | undefined;
  const result = await firestore().runTransaction(
    (transaction) => {
      attempt = new Attempt(transaction);
      return work(attempt);
    },
    { maxAttempts: MAX_ATTEMPTS },
  );
  recordWrites(attempt?.writes ?? 0);
  return result;
}
