import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Database } from './database.ts';
import { ApiError, invalidArgumentError } from './apiError.ts';
import { parseObject } from './parseJson.ts';

/** A read of a transaction, and what it has found. */
interface Read {
  readonly readFrom: (database: Database) => unknown;
  readonly found: unknown;
}

/** How a call says that it reads in a transaction, or in a new one. */
export const TRANSACTION_FIELDS = ['transaction', 'newTransaction'] as const;
type InTransaction = Readonly<Partial<Record<(typeof TRANSACTION_FIELDS)[number], unknown>>>;

/** The open transactions of a database. Their commits fail if a read would have another result by now. */
export class Transactions {
  readonly #database: Database;
  readonly #open = new Map<string, Read[]>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads, in a transaction if the call says so. If it begins one, the response starts with its id. */
  read<Found>(
    { transaction, newTransaction }: InTransaction,
    from: (database: Database) => Found,
  ): { transactionHeader: readonly object[]; found: Found } {
    const isBegun = newTransaction !== undefined;
    const id = isBegun ? this.#begin(newTransaction) : transaction;
    const found = from(this.#database);
    if (id !== undefined) this.#readsOf(id).push({ readFrom: from, found });
    return { transactionHeader: isBegun ? [{ transaction: id }] : [], found };
  }

  /** Commits writes, in a transaction if there is an id, which ends it. */
  commit(id: unknown, writes: readonly unknown[]): object {
    if (id !== undefined) {
      const reads = this.#readsOf(id);
      this.rollBack(id);
      if (
        reads.some(({ readFrom, found }) => !isDeepStrictEqual(readFrom(this.#database), found))
      ) {
        throw new ApiError('ABORTED', 'A document that the transaction has read has changed.');
      }
    }
    return this.#database.commit(writes);
  }

  rollBack(id: unknown): void {
    this.#open.delete(String(id));
  }

  #begin(options: unknown): string {
    parseObject(parseObject(options, 'readWrite').readWrite ?? {}, 'retryTransaction');
    const id = Buffer.from(randomUUID()).toString('base64');
    this.#open.set(id, []);
    return id;
  }

  #readsOf(id: unknown): Read[] {
    const reads = this.#open.get(String(id));
    if (reads) return reads;
    throw invalidArgumentError('The referenced transaction has expired or is no longer valid.');
  }
}
