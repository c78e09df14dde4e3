import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Database } from './database.ts';
import { invalid, members, Refusal } from './refusal.ts';

/** A transaction reads a snapshot; its commit fails if a read would have another result by now. */
interface Transaction {
  readonly snapshot: Database;
  readonly isReadOnly: boolean;
  readonly reads: ((database: Database) => unknown)[];
}

/** The open transactions of a database. */
export class Transactions {
  readonly #database: Database;
  readonly #open = new Map<string, Transaction>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Begins a transaction, and returns its id. */
  begin(options: unknown = {}): string {
    const { readOnly, readWrite } = members(options, 'readOnly', 'readWrite');
    members(readOnly ?? {});
    members(readWrite ?? {}, 'retryTransaction');
    const id = Buffer.from(randomUUID()).toString('base64');
    const snapshot = this.#database.snapshot();
    this.#open.set(id, { snapshot, isReadOnly: readOnly !== undefined, reads: [] });
    return id;
  }

  /** Reads from the database, or in a transaction if there is an id. */
  read<Result>(id: unknown, from: (database: Database) => Result): Result {
    if (id === undefined) return from(this.#database);
    const { snapshot, reads } = this.#get(id);
    reads.push(from);
    return from(snapshot);
  }

  /** Commits writes, in a transaction if there is an id, which ends it. */
  commit(id: unknown, writes: readonly unknown[]): object {
    if (id !== undefined) {
      const { snapshot, isReadOnly, reads } = this.#get(id);
      this.end(id);
      if (isReadOnly && writes.length > 0) throw invalid('The transaction only reads.');
      const isChanged = (read: (database: Database) => unknown) =>
        !isDeepStrictEqual(read(snapshot), read(this.#database));
      if (!isReadOnly && reads.some(isChanged)) {
        throw new Refusal('ABORTED', 'A document that the transaction has read has changed.');
      }
    }
    return this.#database.commit(writes);
  }

  end(id: unknown): void {
    this.#get(id);
    this.#open.delete(String(id));
  }

  #get(id: unknown): Transaction {
    const transaction = this.#open.get(String(id));
    if (transaction) return transaction;
    throw invalid('The referenced transaction has expired or is no longer valid.');
  }
}
