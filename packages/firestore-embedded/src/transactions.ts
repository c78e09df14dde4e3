import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Database } from './memoryDatabase.ts';
import { invalid, members, Refusal } from './refusal.ts';

/** A transaction reads a snapshot; its commit fails if a read would have another result by now. */
interface Transaction {
  readonly snapshot: Database;
  readonly reads: ((database: Database) => unknown)[];
}

/** How a call says that it reads in a transaction, or in a new one. */
export const IN_TRANSACTION = ['transaction', 'newTransaction'] as const;
type InTransaction = Readonly<Partial<Record<(typeof IN_TRANSACTION)[number], unknown>>>;

/** The open transactions of a database. */
export class Transactions {
  readonly #database: Database;
  readonly #open = new Map<string, Transaction>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads, in a transaction if the call says so. If it begins one, the response starts with its id. */
  read<Found>(
    { transaction, newTransaction }: InTransaction,
    from: (database: Database) => Found,
  ): { begun: readonly object[]; found: Found } {
    const isBegun = newTransaction !== undefined;
    const id = isBegun ? this.#begin(newTransaction) : transaction;
    if (id === undefined) return { begun: [], found: from(this.#database) };
    const { snapshot, reads } = this.#get(id);
    reads.push(from);
    return { begun: isBegun ? [{ transaction: id }] : [], found: from(snapshot) };
  }

  /** Commits writes, in a transaction if there is an id, which ends it. */
  commit(id: unknown, writes: readonly unknown[]): object {
    if (id !== undefined) {
      const { snapshot, reads } = this.#get(id);
      this.end(id);
      const isChanged = (read: (database: Database) => unknown) =>
        !isDeepStrictEqual(read(snapshot), read(this.#database));
      if (reads.some(isChanged)) {
        throw new Refusal('ABORTED', 'A document that the transaction has read has changed.');
      }
    }
    return this.#database.commit(writes);
  }

  end(id: unknown): void {
    this.#get(id);
    this.#open.delete(String(id));
  }

  #begin(options: unknown): string {
    const { readOnly, readWrite } = members(options, 'readOnly', 'readWrite');
    members(readOnly ?? {});
    members(readWrite ?? {}, 'retryTransaction');
    const id = Buffer.from(randomUUID()).toString('base64');
    this.#open.set(id, { snapshot: this.#database.snapshot(), reads: [] });
    return id;
  }

  #get(id: unknown): Transaction {
    const transaction = this.#open.get(String(id));
    if (transaction) return transaction;
    throw invalid('The referenced transaction has expired or is no longer valid.');
  }
}
