/**
 * Optimistic concurrency: writes are committed only if the documents they depend on have not changed since they were
 * read. Nothing is done twice: if the outcome of a commit is unknown, the documents are read to find out what it did.
 */
import { unavailable } from '../errors.ts';
import { currentContext } from '../platform/requestContext.ts';
import { commit, getDocuments, pause } from './database.ts';
import {
  FirestoreError,
  isEqual,
  type Changes,
  type StoredDocument,
  type Write,
} from '@tattoo-marketplace/firestore-rest';

/**
 * Runs `plan` and commits the writes it returns; on a conflict it starts over. `plan` reads documents and returns
 * writes, or none if there is nothing to do. Throws `unavailable` at the deadline, or if nobody can tell what a commit
 * did. While a commit is in doubt, `mayHaveWritten` is set in the request's context: every 5xx then reaches the caller
 * as `outcome-unknown` (http/errorResponse.ts).
 */
export async function optimistically(plan: () => Promise<readonly Write[]>): Promise<void> {
  const context = currentContext();
  for (let attempts = 1; ; attempts += 1) {
    const writes = await plan();
    if (writes.length === 0) return;
    context.mayHaveWritten = true;
    if (await isApplied(writes)) {
      context.usage.writes += writes.length;
      return;
    }
    context.mayHaveWritten = false;
    await pause(attempts);
  }
}

/** Commits writes, and returns true once they are applied, false once it is certain that this commit never will be. */
async function isApplied(writes: readonly Write[]): Promise<boolean> {
  const error = await errorOfCommit(writes);
  if (error === undefined) return true;
  if (!error.hasNoEffect) return settle(writes);
  if (error.isTransient || CONFLICTS.has(error.status)) return false;
  currentContext().mayHaveWritten = false;
  throw error;
}

/** Errors of a commit that may succeed once its documents are read again. */
const CONFLICTS: ReadonlySet<string> = new Set([
  'FAILED_PRECONDITION',
  'NOT_FOUND',
  'ALREADY_EXISTS',
]);

async function errorOfCommit(writes: readonly Write[]): Promise<FirestoreError | undefined> {
  try {
    await commit(writes);
    return undefined;
  } catch (error) {
    if (error instanceof FirestoreError) return error;
    throw error;
  }
}

/** Finds out whether a commit whose outcome is unknown was applied, or else never can be. */
async function settle(writes: readonly Write[]): Promise<boolean> {
  for (let attempts = 1; ; attempts += 1) {
    await pause(attempts);
    switch (await effectOf(writes)) {
      case 'none so far':
        // The first sending may still arrive. Only one of the two can be applied: the other fails its preconditions, so a
        // failure of this one proves nothing.
        if ((await errorOfCommit(writes)) === undefined) return true;
        break;
      case 'full':
        return true;
      case 'none':
        return false;
      case 'unclear':
        throw unavailable(new Error('Others have written since a commit whose response was lost.'));
    }
  }
}

/** What a commit whose outcome is unknown has done. */
type Effect =
  /** Nothing, but it may still arrive. */
  | 'none so far'
  /** Nothing, and it never will: a document has changed, so its preconditions fail. */
  | 'none'
  /** It was applied. */
  | 'full'
  /** It may have been applied before others wrote, or not. */
  | 'unclear';

/** Reads the documents of a commit again, to find out what it has done. */
async function effectOf(writes: readonly Write[]): Promise<Effect> {
  const mask = writes.flatMap((write) => [
    ...Object.keys(readBefore(write).fields),
    ...('update' in write ? Object.keys(write.changes) : []),
  ]);
  const found = await getDocuments(
    writes.map((write) => readBefore(write).path),
    [...new Set(mask)],
  );
  if (writes.every((write, index) => isUntouched(write, found[index]))) return 'none so far';
  // A commit that would change nothing has no effect either way.
  if (writes.every(changesNothing)) return 'none';
  // All writes were applied or none: one document that was not written proves that none was.
  const signs = writes.map((write, index) => signOf(write, found[index]));
  if (signs.includes('not applied')) return 'none';
  return signs.includes('applied') ? 'full' : 'unclear';
}

/** Whether a document has the version that the write was made for. */
function isUntouched(write: Write, found: StoredDocument | undefined): boolean {
  const { createTime, updateTime } = readBefore(write);
  return found?.createTime === createTime && found.updateTime === updateTime;
}

/** Whether a document, as it is now, proves that a write of it was applied, or was not; undefined if neither. */
function signOf(
  write: Write,
  found: StoredDocument | undefined,
): 'applied' | 'not applied' | undefined {
  const isSame = found?.createTime === readBefore(write).createTime;
  // A document that somebody else has deleted counts as well: the caller wanted it gone.
  if ('delete' in write) return isSame ? 'not applied' : 'applied';
  // A write that would change nothing looks the same whether it was applied or not.
  if (changesNothing(write)) return undefined;
  if (isUntouched(write, found)) return 'not applied';
  return isSame && isAsWritten(found, write.changes) ? 'applied' : undefined;
}

/** Whether a document has the values of a write already. */
function changesNothing(write: Write): boolean {
  return 'update' in write && isAsWritten(write.update, write.changes);
}

function isAsWritten({ fields }: StoredDocument, changes: Changes): boolean {
  return Object.entries(changes).every(([name, value]) => isEqual(fields[name], value));
}

/** The version of the document that the write was made for. */
function readBefore(write: Write): StoredDocument {
  return 'update' in write ? write.update : write.delete;
}
