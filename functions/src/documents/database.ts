/** The database of this process. Calls end at the deadline of the request, and its context counts what they read. */
import {
  FirestoreError,
  openFirestore,
  waitBeforeRetry,
  type Firestore,
  type Found,
  type Limits,
  type Position,
  type Query,
  type StoredDocument,
  type TokenSource,
  type Write,
} from '@tattoo-marketplace/firestore-rest';
import { unavailable } from '../errors.ts';
import { databaseId } from '../parameters.ts';
import { firestoreTokens, projectId } from '../platform/project.ts';
import { currentContext } from '../platform/requestContext.ts';

/** The emulator takes this token for any access. */
const EMULATOR_TOKENS: TokenSource = {
  get: () => 'owner',
  discard: () => undefined,
};

let opened: Firestore | undefined;

function database(): Firestore {
  opened ??= openDatabase();
  return opened;
}

function openDatabase(): Firestore {
  const emulator = process.env.FIRESTORE_EMULATOR_HOST;
  return openFirestore({
    project: projectId(),
    database: databaseId.value(),
    tokens: emulator === undefined ? firestoreTokens : EMULATOR_TOKENS,
    emulator,
  });
}

/** Reads documents by path, with the fields of the mask only; undefined for each that does not exist. */
export async function getDocuments(
  paths: readonly string[],
  mask: readonly string[],
): Promise<readonly (StoredDocument | undefined)[]> {
  return (await metered((limits) => database().get(paths, mask, limits))).documents;
}

/** Reads up to `limit` documents of a list, from its start or after a position. */
export async function find(query: Query, limit: number, after?: Position): Promise<Found> {
  return metered((limits) => database().find(query, limit, after, limits));
}

/** Counts a list; billed as one read for each 1000 documents. */
export async function count(query: Query): Promise<number> {
  return (await metered((limits) => database().count(query, limits))).total;
}

/** Commits all changes or none, without retries. Throws a `FirestoreError`. */
export async function commit(writes: readonly Write[]): Promise<void> {
  await database().commit(writes, currentContext());
}

/** Waits before an attempt that repeats others. Throws `unavailable` if the deadline passes first. */
export async function pause(attempts: number): Promise<void> {
  await orUnavailable(waitBeforeRetry(attempts, currentContext()));
}

async function metered<Result extends { readonly reads: number }>(
  call: (limits: Limits) => Promise<Result>,
): Promise<Result> {
  const context = currentContext();
  const result = await orUnavailable(call(context));
  context.usage.reads += result.reads;
  return result;
}

async function orUnavailable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof FirestoreError && error.isTransient ? unavailable(error) : error;
  }
}
