/** The collections that the models of all deployed functions declare. */
import * as z from 'zod';
// Loads the models.
import '../src/index.ts';
import { declaredCollections, type AnyCollection } from '../src/documents/collection.ts';
import { timesIn } from '../src/documents/storedTimes.ts';

/** Each collection once, by its path. */
export const COLLECTIONS: readonly AnyCollection[] = [
  ...Map.groupBy(declaredCollections(), ({ path }) => path).values(),
].map((same) => same.reduce(merged));

/** The paths of each, made once: every stored document is compared with them. */
const PATTERNS = COLLECTIONS.map(
  ({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
);

/** A collection that two resources declare, each with the fields that it uses. */
function merged(one: AnyCollection, other: AnyCollection): AnyCollection {
  const schema = z.object({ ...one.schema.shape, ...other.schema.shape });
  return {
    path: one.path,
    purpose: `${one.purpose} ${other.purpose}`,
    schema,
    owner: one.owner ?? other.owner,
    required: { ...one.required, ...other.required },
    unindexed: [...(one.unindexed ?? []), ...(other.unindexed ?? [])],
    times: timesIn(schema),
    lists: [...one.lists, ...other.lists],
  };
}

/** The collection of a document with this path: `conversations/abc/messages/def`. */
export function collectionOf(document: string): AnyCollection | undefined {
  const path = document.slice(0, document.lastIndexOf('/'));
  return COLLECTIONS.find((_each, index) => PATTERNS[index]?.test(path));
}

/** The name of a collection: `messages`. */
export function nameOf({ path }: Pick<AnyCollection, 'path'>): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
