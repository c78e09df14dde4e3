/**
 * Optimistic concurrency: writes are committed only if the documents they depend on have not changed since they were
 * read.
 */
import { waitAfter } from './client.ts';
import { commit, getDocument, type Write } from './documents.ts';
import { toFields, type Fields } from './values.ts';

/**
 * Runs `plan` and commits the writes it returns; on a conflict it starts over. `plan` reads documents and returns
 * writes, or none if there is nothing to do. `mayBeDone` is true if the outcome of an earlier commit is unknown because
 * its response was lost. Throws `unavailable` at the deadline.
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
 * Changes one document based on its stored fields. `change` gets the fields of the mask, or undefined if the document
 * does not exist. It returns the fields to replace, or undefined to change nothing, and may throw.
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

/** New values for fields of a document. */
export interface Replacement {
  readonly fields: Fields;
  /** The names of all changed fields; those without a new value are removed. */
  readonly mask: readonly string[];
}

/** The replacement for these fields; a field that is undefined is removed. */
export function replacement(data: Readonly<Record<string, unknown>>): Replacement {
  const present = Object.entries(data).filter(([, value]) => value !== undefined);
  return { fields: toFields(Object.fromEntries(present)), mask: Object.keys(data) };
}
