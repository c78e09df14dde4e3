/** The database of this process. Calls end at the deadline of the request, and their reads are counted in its context. */
import {
  Backoff,
  FirestoreError,
  createFirestore,
  type Firestore,
  type QueryResult,
  type CallLimits,
  type Position,
  type Query,
  type StoredDocument,
  type AccessTokenSource,
  type Write,
} from '@tattoo-marketplace/firestore-rest';
import {
  createMetadataTokenSource,
  getCurrentContext,
  databaseId,
  getProjectId,
  type RequestContext,
  unavailableError,
} from '@tattoo-marketplace/endpoints';

/** The access tokens for Firestore. A process fetches the first one while it starts. */
const accessTokens = createMetadataTokenSource('https://www.googleapis.com/auth/datastore', {
  prefetch: true,
});

/** The emulator grants full access to this token. */
const EMULATOR_TOKENS: AccessTokenSource = {
  get: () => 'owner',
  discard: () => undefined,
};

let cachedFirestore: Firestore | undefined;

function getFirestore(): Firestore {
  const emulator = process.env.FIRESTORE_EMULATOR_HOST;
  cachedFirestore ??= createFirestore({
    project: getProjectId(),
    database: databaseId.value(),
    tokens: emulator === undefined ? accessTokens : EMULATOR_TOKENS,
    emulator,
  });
  return cachedFirestore;
}

/** Maximum size of a response of Firestore, in bytes. */
export const MAX_FIRESTORE_RESPONSE_BYTES = 16 * 1024 * 1024;

/**
 * Reads the fields in the mask of documents by path. A document that does not exist is undefined. Rejects with an error
 * that `isResponseTooLarge` if the response has more than `maxBytes`.
 */
export async function getDocuments(
  paths: readonly string[],
  mask: readonly string[],
  maxBytes?: number,
): Promise<readonly (StoredDocument | undefined)[]> {
  const { documents } = await meterReads(
    (options) => getFirestore().get(paths, mask, options),
    paths.length,
    maxBytes,
  );
  return documents;
}

/**
 * Reads up to `limit` documents of a list, from its start or after a position. Rejects with an error that
 * `isResponseTooLarge` if the response has more than `maxBytes`.
 */
export async function find(
  query: Query,
  limit: number,
  after?: Position,
  maxBytes?: number,
): Promise<QueryResult> {
  return meterReads(
    (options) => getFirestore().find(query, limit, after, options),
    limit,
    maxBytes,
  );
}

/** Returns whether an error means that a response was too large. */
export function isResponseTooLarge(error: unknown): boolean {
  return error instanceof FirestoreError && error.status === 'RESPONSE_TOO_LARGE';
}

/** Counts the documents of a list. Firestore bills one read for each 1000 documents. */
export async function count(query: Query): Promise<number> {
  const { total } = await meterReads((options) => getFirestore().count(query, options), 0);
  return total;
}

/** Commits all changes or none, without retries. Throws a `FirestoreError`. */
export async function commit(writes: readonly Write[]): Promise<void> {
  await getFirestore().commit(writes, createCallLimits(getCurrentContext()));
}

/** Converts the error of a call to the error of its request: `unavailable`, or an internal error. */
export function toRequestError(error: FirestoreError): Error {
  if (error.isTransient) return unavailableError(error);
  // Firestore has rejected the access token twice, so nothing was applied. This does not end by itself.
  if (error.status === 'UNAUTHENTICATED') return unavailableError(error, { logLevel: 'error' });
  return error;
}

/** Waits after an error, before the next attempt. Throws `unavailable` if the request ends first. */
export async function waitBeforeRetry(error: FirestoreError): Promise<void> {
  const context = getCurrentContext();
  await convertErrors(getBackoff(context).wait(error, context.signal));
}

/** The backoffs of requests: all calls of a request share one. */
const backoffs = new WeakMap<RequestContext, Backoff>();

function getBackoff(context: RequestContext): Backoff {
  const backoff = backoffs.get(context) ?? new Backoff();
  backoffs.set(context, backoff);
  return backoff;
}

function createCallLimits(
  context: RequestContext,
  maxBytes = MAX_FIRESTORE_RESPONSE_BYTES,
): CallLimits {
  return {
    signal: context.signal,
    backoff: getBackoff(context),
    get remainingMs() {
      return context.remainingMs;
    },
    maxBytes,
  };
}

/**
 * Counts the document reads of a call in the request's usage. If the response was too large, counts
 * the number of requested documents.
 */
async function meterReads<Result extends { readonly reads: number }>(
  call: (limits: CallLimits) => Promise<Result>,
  requestedReads: number,
  maxBytes?: number,
): Promise<Result> {
  const context = getCurrentContext();
  try {
    const result = await convertErrors(call(createCallLimits(context, maxBytes)));
    context.usage.reads += result.reads;
    return result;
  } catch (error) {
    if (isResponseTooLarge(error)) context.usage.reads += requestedReads;
    throw error;
  }
}

/** Waits for a call. Converts its error to that of the request. */
async function convertErrors<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof FirestoreError ? toRequestError(error) : error;
  }
}
