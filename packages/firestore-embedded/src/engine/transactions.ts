import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Database } from './database.ts';
import { ApiError, invalidArgumentError } from './apiError.ts';
import { parseObject } from './parseJson.ts';

/** A read of a transaction, and its result. */
interface Read {
  readonly readFrom: (database: Database) => unknown;
  readonly result: unknown;
}

/** The members of a request that reads in a transaction, or begins one. */
export const TRANSACTION_FIELDS = ['transaction', 'newTransaction'] as const;
type TransactionFields = Readonly<Partial<Record<(typeof TRANSACTION_FIELDS)[number], unknown>>>;

/** The open transactions of a database. A commit fails if a read of its transaction would have another result now. */
export class Transactions {
  readonly #database: Database;
  readonly #open = new Map<string, Read[]>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Reads, in a transaction if the request says so. If the request begins a transaction, the header
   * of the response has its id.
   */
  read<Result>(
    { transaction, newTransaction }: TransactionFields,
    readFrom: (database: Database) => Result,
  ): { transactionHeader: readonly object[]; result: Result } {
    const isNew = newTransaction !== undefined;
    const id = isNew ? this.#begin(newTransaction) : transaction;
    const result = readFrom(this.#database);
    if (id !== undefined) this.#getReads(id).push({ readFrom, result });
    return { transactionHeader: isNew ? [{ transaction: id }] : [], result };
  }

  /** Commits writes, as the end of a transaction if there is an id. */
  commit(id: unknown, writes: readonly unknown[]): object {
    if (id !== undefined) {
      const reads = this.#getReads(id);
      this.rollBack(id);
      const isStale = ({ readFrom, result }: Read) =>
        !isDeepStrictEqual(readFrom(this.#database), result);
      if (reads.some(isStale)) {
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

  #getReads(id: unknown): Read[] {
    const reads = this.#open.get(String(id));
    if (reads) return reads;
    throw invalidArgumentError('The referenced transaction has expired or is no longer valid.');
  }
}
