/**
 * Optimistic concurrency: writes are committed only if the documents they depend on have not changed since they were
 * read. Nothing is done twice: if the response to a commit is lost, the documents are read to find out what it did.
 */
import { unavailable } from '../errors.ts';
import { currentContext } from '../platform/requestContext.ts';
import { waitAfter } from '../firestore/client.ts';
import {
  commit,
  getDocument,
  getDocuments,
  type Changes,
  type StoredDocument,
  type Write,
} from '../firestore/documents.ts';
import { isEqual, type Fields } from '@tattoo-marketplace/firestore-rest';

/**
 * Runs `plan` and commits the writes it returns; on a conflict it starts over. `plan` reads documents and returns
 * writes, or none if there is nothing to do. Throws `unavailable` at the deadline, or if nobody can tell what a commit
 * did. The context of the request says whether anything may have been written.
 */
export async function optimistically(plan: () => Promise<readonly Write[]>): Promise<void> {
  const context = currentContext();
  for (let attempts = 1; ; attempts += 1) {
    const writes = await plan();
    if (writes.length === 0) return;
    context.mayHaveWritten = true;
    if (await commitForCertain(writes)) {
      context.usage.writes += writes.length;
      return;
    }
    context.mayHaveWritten = false;
    await waitAfter(attempts);
  }
}

/** Commits writes and returns whether they were applied. If not, they never will be. */
async function commitForCertain(writes: readonly Write[]): Promise<boolean> {
  const first = await commit(writes);
  if (first !== 'unknown') return first === 'done';
  for (let attempts = 1; ; attempts += 1) {
    await waitAfter(attempts);
    switch (await effectOf(writes)) {
      case 'none so far':
        // Whichever of the two arrives second fails its preconditions, so a failure here proves nothing.
        if ((await commit(writes)) === 'done') return true;
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

/** What a commit whose response was lost has done. */
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
  const signs = new Set(writes.map((write, index) => signOf(write, found[index])));
  // All writes were applied or none, so one document that was not touched speaks for all.
  if (signs.has('not deleted')) return 'none';
  const isChanged = signs.has('as written') || signs.has('otherwise');
  if (signs.has('untouched') && isChanged) return 'none';
  if (!isChanged) return 'none so far';
  return signs.has('as written') ? 'full' : 'unclear';
}

/** How a document that a commit was to write is found after it. */
type Sign =
  /** It has the version that was read, and the commit would have changed it. */
  | 'untouched'
  /** It has the version that was read, which the commit would leave as it is. */
  | 'nothing to change'
  /** It has another version, exactly as the commit would leave it. */
  | 'as written'
  /** It should have been deleted, and has another version: it was not, and never will be by this commit. */
  | 'not deleted'
  /** Somebody else has changed or deleted it. */
  | 'otherwise';

function signOf(write: Write, found: StoredDocument | undefined): Sign {
  const before = readBefore(write);
  const isSame = found?.createTime === before.createTime;
  const isUntouched = isSame && found.updateTime === before.updateTime;
  if ('delete' in write) {
    if (isUntouched) return 'untouched';
    return isSame ? 'not deleted' : 'as written';
  }
  const isAsWritten =
    isSame &&
    Object.entries(write.changes).every(([name, value]) => isEqual(found.fields[name], value));
  if (isUntouched) return isAsWritten ? 'nothing to change' : 'untouched';
  return isAsWritten ? 'as written' : 'otherwise';
}

/** The version of the document that the write was made for. */
function readBefore(write: Write): StoredDocument {
  return 'update' in write ? write.update : write.delete;
}

/**
 * Changes one document based on its stored fields. `change` gets the fields of the mask, or undefined if the document
 * does not exist. It returns the changes, or undefined to change nothing, and may throw.
 */
export async function changeDocument(
  path: string,
  mask: readonly string[],
  change: (stored: Fields | undefined) => Changes | undefined,
): Promise<void> {
  await optimistically(async () => {
    const document = await getDocument(path, mask);
    const changes = change(document?.fields);
    return document && changes ? [{ update: document, changes }] : [];
  });
}
