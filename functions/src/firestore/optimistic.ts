/** Writes without locks: what they depend on is read, and they are done only if it has not changed since. */
import { waitAfter } from './client.ts';
import { commit, getDocument, type Write } from './documents.ts';
import { toFields, type Fields } from './values.ts';

/**
 * Reads, and commits what follows from it, again and again until no other write came between. `plan` reads and gives the
 * writes, none where nothing is left to do; it is told whether an earlier commit may have been done, as its answer was
 * lost. All or none of the writes are done. Throws `unavailable` at the deadline.
 */
export async function optimistically(
  plan: (mayBeDone: boolean) => Promise<readonly Write[]>,
): Promise<void> {
  let mayBeDone = false;
  for (let attempts = 1; ; attempts += 1) {
    const writes = await plan(mayBeDone);
    if (writes.length === 0) return;
    const outcome = await commit(writes);
    if (outcome === 'done') return;
    if (outcome === 'unknown') mayBeDone = true;
    await waitAfter(attempts);
  }
}

/**
 * Changes one document by what is stored in it. `change` gets the fields of the mask, or undefined where there is no such
 * document, and gives the fields to replace, or undefined where nothing is to be done; it may refuse by throwing.
 */
export async function changeDocument(
  path: string,
  mask: readonly string[],
  change: (
    stored: Fields | undefined,
    mayBeDone: boolean,
  ) => Readonly<Record<string, unknown>> | undefined,
): Promise<void> {
  await optimistically(async (mayBeDone) => {
    const document = await getDocument(path, mask);
    const data = change(document?.fields, mayBeDone);
    return document && data ? [{ update: document, ...replacement(data) }] : [];
  });
}

/** What replaces fields of a document. */
export interface Replacement {
  readonly fields: Fields;
  /** Every field that is changed; those that `fields` lacks are removed. */
  readonly mask: readonly string[];
}

/** The fields to replace, as Firestore stores them; one that is undefined is removed. */
export function replacement(data: Readonly<Record<string, unknown>>): Replacement {
  const kept = Object.entries(data).filter(([, value]) => value !== undefined);
  return { fields: toFields(Object.fromEntries(kept)), mask: Object.keys(data) };
}
