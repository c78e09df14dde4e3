/**
 * Optimistic concurrency control. A commit succeeds only if the documents have not changed since
 * they were read, and a creation only if no document has that ID. If the outcome of a commit is
 * unknown, the identical commit is sent again: its preconditions ensure that at most one attempt is
 * applied.
 */
import { FirestoreError, type Write } from '@tattoo-marketplace/firestore-rest';
import {
  getCurrentContext,
  outcomeUnknownError,
  ServiceError,
  unavailableError,
} from '@tattoo-marketplace/endpoints';
import { assertPossible, type FurtherWrite } from './furtherWrites.ts';
import { commit, toRequestError, waitBeforeRetry } from './database.ts';

/** Maximum number of attempts of a request whose documents keep changing. Each attempt reads all documents again. */
const MAX_ATTEMPTS = 12;

/** Writes to commit. They include a write that changes the version of a document that was read. */
export interface CommitPlan {
  readonly writes: readonly Write[];
  readonly furtherWrites: readonly FurtherWrite[];
}

/**
 * Runs `planCommit`, which reads documents and returns writes, and commits them. On a conflict it
 * starts over. Throws `unavailable` after the last attempt or if the request ends first, and
 * `outcome-unknown` if the outcome of a commit cannot be determined. Throws `already-exists` or
 * `not-found` if a further write cannot succeed.
 */
export async function commitWithRetries(planCommit: () => Promise<CommitPlan>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { writes, furtherWrites } = await planCommit();
    if (writes.length === 0) return;
    const conflict = await commitUntilKnown(joinWrites(writes, furtherWrites));
    if (conflict === undefined) return;
    if (conflict.status !== 'FAILED_PRECONDITION') await assertPossible(furtherWrites);
    if (attempt === MAX_ATTEMPTS) throw unavailableError(conflict);
    await waitBeforeRetry(conflict);
  }
}

/** The owner of a document whose ID is in use already; `none` if it was deleted meanwhile. */
export type DocumentOwner = 'caller' | 'another user' | 'none';

/**
 * Commits a new document, and further writes. If the ID of a new document exists, or a document
 * to change is missing, `findOwner` returns the owner of the ID, or throws `not-found`. A
 * document of the caller was created by this request, or by an earlier one with the same key. For a
 * document of another user, throws `already-exists`, or `outcome-unknown` if an earlier attempt may have
 * been applied: a trigger may then have changed the owner. If the document was deleted meanwhile, the
 * commit is retried.
 */
export async function commitCreation(
  write: Write,
  furtherWrites: readonly FurtherWrite[],
  findOwner: () => Promise<DocumentOwner>,
): Promise<void> {
  const conflict = await commitUntilKnown(joinWrites([write], furtherWrites), findOwner);
  // A creation depends on no other document, so the conflict means that the database does not exist.
  if (conflict !== undefined) throw conflict;
}

/** Maximum number of writes in a commit. */
const MAX_WRITES = 500;

/** Joins the writes of a commit. Throws if there are too many, or if two write one document: only transforms can be joined. */
function joinWrites(
  writes: readonly Write[],
  furtherWrites: readonly FurtherWrite[],
): readonly Write[] {
  const all = [...writes, ...furtherWrites.map(({ write }) => write)];
  const writesByPath = new Map<string, Write>();
  for (const write of all) {
    const path = getPath(write);
    const other = writesByPath.get(path);
    writesByPath.set(path, write);
    if (other === undefined || ('transform' in other && 'transform' in write)) continue;
    throw new Error(`A commit cannot write ${path} twice, except by transforms.`);
  }
  if (all.length <= MAX_WRITES) return all;
  throw new Error(
    `A commit has ${all.length} writes, and may have ${MAX_WRITES}: allow fewer documents per request.`,
  );
}

function getPath(write: Write): string {
  if ('create' in write) return write.create;
  if ('transform' in write) return write.transform;
  return 'delete' in write ? write.delete.path : write.update.path;
}

/** The statuses of a commit with a precondition that failed: a document has changed since it was read. */
const FAILED_PRECONDITION_STATUSES: ReadonlySet<string> = new Set([
  'FAILED_PRECONDITION',
  'NOT_FOUND',
  'ALREADY_EXISTS',
]);

/**
 * Commits writes, and retries until the outcome is known. Returns the error if a document has
 * changed since it was read, so that the caller reads again. While an outcome is unknown, it throws
 * only `outcome-unknown`; the context's `mayHaveWritten` says so to a deadline that passes meanwhile.
 *
 * | error                            | an earlier attempt may be applied | then                        |
 * | -------------------------------- | --------------------------------- | --------------------------- |
 * | none                             | yes or no                         | done                        |
 * | conflict: a document has changed | no                                | returned                    |
 * | conflict: a document has changed | yes                               | `outcome-unknown` is thrown |
 * | the ID of a creation exists *    | yes or no                         | its owner decides           |
 * | transient, or outcome unknown    | yes or no                         | the same commit is retried  |
 * | permanent: any other             | no                                | thrown                      |
 * | permanent: any other             | yes                               | the same commit is retried  |
 *
 * \* or a document of its further writes is missing
 */
async function commitUntilKnown(
  writes: readonly Write[],
  findOwner?: () => Promise<DocumentOwner>,
): Promise<FirestoreError | undefined> {
  const context = getCurrentContext();
  let outcomeUnknown = false;
  for (;;) {
    context.mayHaveWritten = true;
    const error = await tryCommit(writes);
    if (error === undefined) {
      context.usage.writes += writes.length;
      return undefined;
    }
    const type = classifyError(error, findOwner && writes);
    // Either our earlier attempt was applied, or another writer was faster.
    if (type === 'conflict' && outcomeUnknown) throw outcomeUnknownError(error);
    outcomeUnknown ||= !error.wasNotApplied;
    context.mayHaveWritten = outcomeUnknown;
    switch (type) {
      case 'conflict':
        return error;
      case 'id-exists': {
        const owner = await keepUnknown(outcomeUnknown, async () => findOwner?.());
        if (owner === 'caller') return undefined;
        if (owner === 'another user') throw takenIdError(error, outcomeUnknown);
        break;
      }
      case 'permanent':
        if (!outcomeUnknown) throw toRequestError(error);
        break;
      case 'transient':
        break;
    }
    await keepUnknown(outcomeUnknown, async () => waitBeforeRetry(error));
  }
}

/** Runs a step between two commits. If it fails while the outcome is unknown, rejects with `outcome-unknown`. */
async function keepUnknown<Result>(
  outcomeUnknown: boolean,
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw outcomeUnknown ? outcomeUnknownError(error) : error;
  }
}

function takenIdError(error: FirestoreError, outcomeUnknown: boolean): Error {
  return outcomeUnknown
    ? outcomeUnknownError(error)
    : new ServiceError('already-exists', 'The document exists already.');
}

function classifyError(
  error: FirestoreError,
  creation: readonly Write[] | undefined,
): 'conflict' | 'id-exists' | 'transient' | 'permanent' {
  if (creation !== undefined && error.status === 'ALREADY_EXISTS') return 'id-exists';
  // Firestore may report a missing document of a further write although the new document exists.
  const mayMissDocument = creation !== undefined && creation.length > 1;
  if (mayMissDocument && error.status === 'NOT_FOUND') return 'id-exists';
  if (FAILED_PRECONDITION_STATUSES.has(error.status)) return 'conflict';
  return error.isTransient ? 'transient' : 'permanent';
}

/** Commits writes. Returns a `FirestoreError` instead of throwing it. */
async function tryCommit(writes: readonly Write[]): Promise<FirestoreError | undefined> {
  try {
    await commit(writes);
    return undefined;
  } catch (error) {
    if (error instanceof FirestoreError) return error;
    throw error;
  }
}
