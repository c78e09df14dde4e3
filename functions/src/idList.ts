import * as z from 'zod';
import { documentId } from './documentId.ts';
import type { NamedDocument } from './ownership.ts';

/** How many documents one request may name. */
export const MAX_NAMED = 500;

/** The ids of 1 to 500 documents. One that is repeated counts once. */
export const idList = z
  .array(documentId)
  .min(1, `must hold 1 to ${MAX_NAMED} ids`)
  .max(MAX_NAMED, `must hold 1 to ${MAX_NAMED} ids`);

/** The documents that a list of ids names, each once, at its first place. */
export function namedOnce(field: string, ids: readonly string[]): NamedDocument[] {
  const first = new Map<string, NamedDocument>();
  ids.forEach((id, index) => {
    if (!first.has(id)) first.set(id, { id, field: `${field}[${index}]` });
  });
  return [...first.values()];
}
