/**
 * Optimistic concurrency control. A commit succeeds only if the documents have not changed since
 * they were read, and a creation only if no document has that name. If the outcome of a commit is
 * unknown, the identical commit is sent again: its preconditions ensure that at most one attempt is
 * applied.
 */
import { FirestoreError, type Write } from '@tattoo-marketplace/firestore-rest';
import { currentContext, unavailableError } from '@tattoo-marketplace/endpoints';
import { commit, waitBeforeRetry } from './database.ts';

/**
 * Runs `planWrites`, which reads documents and returns writes, and commits them. On a conflict it
 * starts over. Throws `unavailable` if the request ends first or the outcome of a commit cannot be
 * determined. While an outcome is unknown, the request context's `mayHaveWritten` is true; every
 * 5xx is then sent as `outcome-unknown`.
 */
export async function commitWithRetries(
  planWrites: () => Promise<readonly Write[]>,
): Promise<void> {
  for (;;) {
    const writes = await planWrites();
    if (writes.length === 0) return;
    const conflict = await commitUntilKnown(writes);
    if (conflict === undefined) return;
    await waitBeforeRetry(conflict);
  }
}

/**
 * Commits a new document. If a document with that name exists, `isOwnCreation` decides: true means
 * that this request, or an earlier one with the same key, created it; false means that it has been
 * deleted since, so the commit is retried. It may also throw.
 */
export async function commitCreation(
  write: Write,
  isOwnCreation: () => Promise<boolean>,
): Promise<void> {
  const error = await commitUntilKnown([write], isOwnCreation);
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
async function commitUntilKnown(
  writes: readonly Write[],
  isOwnCreation?: () => Promise<boolean>,
): Promise<FirestoreError | undefined> {
  const context = currentContext();
  let outcomeUnknown = false;
  for (;;) {
    context.mayHaveWritten = true;
    const error = await tryCommit(writes);
    if (error === undefined) {
      context.usage.writes += writes.length;
      return undefined;
    }
    const nameIsTaken = isOwnCreation !== undefined && error.status === 'ALREADY_EXISTS';
    const isConflict = CONFLICTS.has(error.status) && !nameIsTaken;
    // Either our earlier attempt was applied, or another writer was faster.
    if (outcomeUnknown && isConflict) throw unavailableError(error);
    outcomeUnknown ||= !error.wasNotApplied;
    context.mayHaveWritten = outcomeUnknown;
    if (isConflict) return error;
    if (nameIsTaken) {
      if (await isOwnCreation()) return undefined;
    } else if (!outcomeUnknown && !error.isTransient) throw error;
    await waitBeforeRetry(error);
  }
}

async function tryCommit(writes: readonly Write[]): Promise<FirestoreError | undefined> {
  try {
    await commit(writes);
    return undefined;
  } catch (error) {
    if (error instanceof FirestoreError) return error;
    throw error;
  }
}
