import { AsyncLocalStorage } from 'node:async_hooks';

/** What is known of the work for one request: for its line in the log, and for how long its answer may be kept. */
export interface RequestRecord {
  /** Documents read, and entries counted, as Firestore bills them (https://firebase.google.com/docs/firestore/pricing). */
  reads: number;
  /** Documents written or deleted. */
  writes: number;
  /** When the oldest of the data that the answer is made of was read, in ms since the epoch. */
  readAt: number;
}

const records = new AsyncLocalStorage<RequestRecord>();

/** Does work whose reads and writes are recorded. */
export async function recorded<Result>(
  record: RequestRecord,
  work: () => Promise<Result>,
): Promise<Result> {
  return records.run(record, work);
}

/** A record of nothing yet. */
export function emptyRecord(): RequestRecord {
  return { reads: 0, writes: 0, readAt: Date.now() };
}

/** Records documents that were read by name, or that a query gave. */
export function recordReads(count: number): void {
  const record = records.getStore();
  if (record) record.reads += count;
}

/** Records a query: one that gives nothing costs a read too. */
export function recordQuery(returned: number): void {
  recordReads(Math.max(1, returned));
}

/** Records an aggregation: one read for each 1000 entries that it counts, started ones whole. */
export function recordCount(entries: number): void {
  recordReads(Math.max(1, Math.ceil(entries / 1000)));
}

/** Records documents that were written or deleted. */
export function recordWrites(count: number): void {
  const record = records.getStore();
  if (record) record.writes += count;
}

/** Records that the answer holds data which was read at an earlier time. */
export function recordDataOf(readAt: number): void {
  const record = records.getStore();
  if (record) record.readAt = Math.min(record.readAt, readAt);
}
