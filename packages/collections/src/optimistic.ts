/**
 * Optimistic concurrency: writes are committed only if the documents they depend on have not changed since they were
 * read, new documents only if nothing has their names. Nothing is done twice: a commit whose outcome is unknown is sent
 * again, the very same, and its preconditions let one of the sendings at most take effect.
 */
import { FirestoreError, type Write } from '@tattoo-marketplace/firestore-rest';
import { currentContext, unavailable } from '@tattoo-marketplace/endpoints';
import { commit, pause } from './database.ts';

/**
 * Runs `plan` and commits the writes it returns; on a conflict it starts over. `plan` reads documents and returns
 * writes, or none if there is nothing to do. Throws `unavailable` when the request ends, or if nobody can tell what a
 * commit did. While a commit is in doubt, `mayHaveWritten` is set in the request's context: every 5xx then reaches the
 * caller as `outcome-unknown` (http/errorResponse.ts).
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
 * Commits a new document. If its name is taken, `isOurs` says whether it is done, by this request or an earlier one; it
 * returns false if nothing has the name any more, and may throw. Throws what `optimistically` throws.
 */
export async function create(write: Write, isOurs: () => Promise<boolean>): Promise<void> {
  const error = await conflictOf([write], isOurs);
  // No such database.
  if (error !== undefined) throw error;
}

/** Errors of a commit whose documents have changed: it may succeed once they are read again. */
const CONFLICTS: ReadonlySet<string> = new Set([
  'FAILED_PRECONDITION',
  'NOT_FOUND',
  'ALREADY_EXISTS',
]);

/** Commits writes, with as many attempts as it takes. Returns an error if documents have changed since they were read. */
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
    // Either an earlier sending was first, or another writer.
    if (isInDoubt && isConflict) throw unavailable(error);
    isInDoubt ||= !error.hasNoEffect;
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
