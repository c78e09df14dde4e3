import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Status, StatusError } from './status.ts';
import type { TransactionId } from './messages.ts';

/** How long things may take, in ms. */
export interface TransactionTimes {
  /** A transaction that is idle for this long is aborted and releases its locks. */
  readonly idleMs: number;
  /** How long a write outside of transactions waits for locks. */
  readonly lockWaitMs: number;
}

/** A read-write transaction. */
interface Transaction {
  readonly keys: Set<string>;
  /** Resolves when it has ended for any reason. */
  readonly ended: Promise<undefined>;
  readonly end: (value: undefined) => void;
  aborted: boolean;
  expiry?: NodeJS.Timeout;
}

const CONTENTION = 'Transaction was aborted: too much contention on these documents.';
const EXPIRED = 'The referenced transaction has expired or is no longer valid.';

/**
 * The read-write transactions of one database, like in the official emulator. Reads take shared locks. Of several
 * transactions that have read the same document, the first to commit wins; the others are aborted, and the SDK retries
 * them. A write outside of transactions waits until no transaction locks its document. The engine's own check compares
 * times in whole milliseconds, and would lose writes within the same one.
 */
export class Transactions {
  readonly #times: TransactionTimes;
  readonly #open = new Map<string, Transaction>();

  constructor(times: TransactionTimes) {
    this.#times = times;
  }

  /** Starts a transaction. */
  begin(): TransactionId {
    const id = randomBytes(16);
    const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
    this.#open.set(nameOf(id), { keys: new Set(), ended, end, aborted: false });
    this.#used(nameOf(id));
    return id;
  }

  /** Whether the id belongs to an active transaction. */
  has(id: TransactionId): boolean {
    return this.#open.has(nameOf(id));
  }

  /** Locks keys for a transaction that is about to read them. */
  read(id: TransactionId, keys: Iterable<string>): void {
    const transaction = this.#usable(id);
    for (const key of keys) transaction.keys.add(key);
  }

  /** Writes in a transaction and ends it. `apply` must be synchronous. */
  commit<Result>(id: TransactionId, keys: ReadonlySet<string>, apply: () => Result): Result {
    const transaction = this.#usable(id);
    try {
      for (const other of this.#holdersOf(keys)) {
        if (other !== transaction) abort(other);
      }
      return apply();
    } finally {
      this.rollback(id);
    }
  }

  /** Ends a transaction without writing; does nothing if it has already ended. */
  rollback(id: TransactionId): void {
    const transaction = this.#open.get(nameOf(id));
    if (transaction === undefined) return;
    clearTimeout(transaction.expiry);
    this.#open.delete(nameOf(id));
    abort(transaction);
  }

  /** Writes outside of transactions, as soon as none locks the keys. `apply` must be synchronous. */
  async write<Result>(keys: ReadonlySet<string>, apply: () => Result): Promise<Result> {
    const late = delay(this.#times.lockWaitMs, 'late' as const, { ref: false });
    for (let holders = this.#holdersOf(keys); holders.length > 0; holders = this.#holdersOf(keys)) {
      const first = await Promise.race([late, ...holders.map(({ ended }) => ended)]);
      if (first === 'late') throw new StatusError(Status.ABORTED, 'Transaction lock timeout.');
    }
    return apply();
  }

  /** Aborts all transactions. */
  clear(): void {
    for (const name of [...this.#open.keys()]) this.rollback(Buffer.from(name, 'hex'));
  }

  #usable(id: TransactionId): Transaction {
    const transaction = this.#open.get(nameOf(id));
    if (transaction === undefined) throw new StatusError(Status.INVALID_ARGUMENT, EXPIRED);
    if (transaction.aborted) throw new StatusError(Status.ABORTED, CONTENTION);
    this.#used(nameOf(id));
    return transaction;
  }

  #used(name: string): void {
    const transaction = this.#open.get(name);
    if (transaction === undefined) return;
    clearTimeout(transaction.expiry);
    transaction.expiry = setTimeout(() => {
      this.rollback(Buffer.from(name, 'hex'));
    }, this.#times.idleMs).unref();
  }

  #holdersOf(keys: ReadonlySet<string>): Transaction[] {
    return [...this.#open.values()].filter(
      (transaction) => !transaction.aborted && !keys.isDisjointFrom(transaction.keys),
    );
  }
}

function abort(transaction: Transaction): void {
  transaction.aborted = true;
  transaction.end(undefined);
}

function nameOf(id: TransactionId): string {
  return Buffer.from(id).toString('hex');
}
