/**
 * Optimistic concurrency control. A commit succeeds only if the documents have not changed since
 * they were read, and a creation only if no document has that name. If the outcome of a commit is
 * unknown, the identical commit is sent again: its preconditions ensure that at most one attempt is
 * applied.
 */
import { FirestoreError, type Write } from '@tattoo-marketplace/firestore-rest';
import { currentContext, unavailableError } from '@tattoo-marketplace/endpoints';
import { commit, pause } from './database.ts';

/**
 * Runs `planWrites`, which reads documents and returns writes, and commits them. On a conflict it
 * starts over. Throws `unavailable` if the request ends first or the outcome of a commit cannot be
 * determined. While an outcome is unknown, the request context's `mayHaveWritten` is true; every
 * 5xx is then sent as `outcome-unknown`.
 */
export async function optimistically(plan: () => Promise<readonly Write[]>): Promise<void> {
  for (;;) {
    const writes = await plan();
    if (writes.length === 0) return;
    const conflict = await conflictOf(writes);
    if (conflict === undefined) return;
    await pause(conflict);
  }
}

/**
 * Commits a new document. If a document with that name exists, `isOwnCreation` decides: true means
 * that this request, or an earlier one with the same key, created it; false means that it has been
 * deleted since, so the commit is retried. It may also throw.
 */
export async function create(write: Write, isOurs: () => Promise<boolean>): Promise<void> {
  const error = await conflictOf([write], isOurs);
  // No such database.
  if (error !== undefined) throw error;
}

/** Statuses that mean that a document has changed since it was read. Re-read it and try again. */
const CONFLICTS: ReadonlySet<string> = new Set([
  'FAILED_PRECONDITION',
  'NOT_FOUND',
  'ALREADY_EXISTS',
]);

/**
 * Commits writes, and retries until the outcome is known. Returns the error if a document has
 * changed since it was read.
 */
async function conflictOf(
  writes: readonly Write[],
  isOurs?: () => Promise<boolean>,
): Promise<FirestoreError | undefined> {
  const context = currentContext();
  let isInDoubt = false;
  for (;;) {
    context.mayHaveWritten = true;
    const error = await errorOfCommit(writes);
    if (error === undefined) {
      context.usage.writes += writes.length;
      return undefined;
    }
    const isTaken = isOurs !== undefined && error.status === 'ALREADY_EXISTS';
    const isConflict = CONFLICTS.has(error.status) && !isTaken;
    // Either our earlier attempt was applied, or another writer was faster.
    if (isInDoubt && isConflict) throw unavailableError(error);
    isInDoubt ||= !error.wasNotApplied;
    context.mayHaveWritten = isInDoubt;
    if (isConflict) return error;
    if (isTaken) {
      if (await isOurs()) return undefined;
    } else if (!isInDoubt && !error.isTransient) throw error;
    await pause(error);
  }
}

async function errorOfCommit(writes: readonly Write[]): Promise<FirestoreError | undefined> {
  try {
    await commit(writes);
    return undefined;
  } catch (error) {
    if (error instanceof FirestoreError) return error;
    throw error;
  }
}
