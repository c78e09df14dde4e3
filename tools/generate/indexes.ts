/** The indexes of the declared lists in firestore.indexes.json. No emulator demands them, but production does. */
import { isDeepStrictEqual } from 'node:util';
import type { AnyCollection, List } from '../../functions/src/documents/collection.ts';
import type { CompositeIndex } from '@tattoo-marketplace/firestore-embedded';
import { COLLECTIONS, nameOf } from '../../functions/declared/collections.ts';

/** How a field is indexed, instead of by an index of its own. */
interface FieldOverride {
  readonly collectionGroup: string;
  readonly fieldPath: string;
}

interface IndexFile {
  readonly indexes: readonly CompositeIndex[];
  readonly fieldOverrides: readonly FieldOverride[];
}

/** firestore.indexes.json with what the lists of these collections need. Entries of others stay, behind these. */
export function withIndexes(file: string, collections = COLLECTIONS): IndexFile {
  const { indexes = [], fieldOverrides = [] } = JSON.parse(file) as Partial<IndexFile>;
  const needed = collections.flatMap((each) => each.lists.flatMap((list) => indexOf(each, list)));
  const unindexed = collections.flatMap(overridesOf);
  const isOverridden = ({ collectionGroup, fieldPath }: FieldOverride) =>
    unindexed.some((own) => own.collectionGroup === collectionGroup && own.fieldPath === fieldPath);
  return {
    indexes: [
      // Two lists may need the same index.
      ...new Map(needed.map((index) => [JSON.stringify(index), index])).values(),
      ...indexes.filter((index) => !needed.some((own) => isDeepStrictEqual(own, index))),
    ],
    fieldOverrides: [...unindexed, ...fieldOverrides.filter((each) => !isOverridden(each))],
  };
}

/** The index of a list; none if it filters only, or orders only: each field has an index of its own. */
function indexOf(
  collection: AnyCollection,
  { of, where, orderBy, descending }: List,
): CompositeIndex[] {
  const filters = new Set([...of, ...Object.keys(where)]);
  if (orderBy === undefined || filters.size === 0 || filters.has(orderBy)) return [];
  const field = (fieldPath: string, order: string) => ({ fieldPath, order });
  return [
    {
      collectionGroup: nameOf(collection),
      queryScope: 'COLLECTION',
      fields: [
        ...[...filters].map((path) => field(path, 'ASCENDING')),
        field(orderBy, descending ? 'DESCENDING' : 'ASCENDING'),
      ],
    },
  ];
}

function overridesOf(collection: AnyCollection) {
  const { unindexed = [] } = collection;
  return unindexed.map((fieldPath) => ({
    collectionGroup: nameOf(collection),
    fieldPath,
    indexes: [],
  }));
}
