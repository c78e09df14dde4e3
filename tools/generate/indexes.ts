/** The indexes of the declared lists in firestore.indexes.json. No emulator demands them, but production does. */
import { isDeepStrictEqual } from 'node:util';
import {
  type Collection,
  type ListDefinition,
  collectionIdOf,
} from '@tattoo-marketplace/collections';
import type { CompositeIndex } from '@tattoo-marketplace/firestore-embedded';
import { COLLECTIONS } from '../../functions/service.ts';

/** How a single field is indexed, instead of in both directions and for arrays. */
interface FieldOverride {
  readonly collectionGroup: string;
  readonly fieldPath: string;
  readonly indexes: readonly object[];
}

interface IndexFile {
  readonly indexes: readonly CompositeIndex[];
  readonly fieldOverrides: readonly FieldOverride[];
}

/** firestore.indexes.json with what the lists of these collections need. Entries of others stay, behind these. */
export function updateIndexes(file: string, collections = COLLECTIONS): IndexFile {
  const { indexes = [], fieldOverrides = [] } = JSON.parse(file) as Partial<IndexFile>;
  const needed = collections.flatMap((each) => each.lists.flatMap((list) => indexOf(each, list)));
  const unindexed = collections.flatMap((each) => {
    const collectionGroup = collectionIdOf(each);
    return each.indexExemptions.map((path) => ({
      collectionGroup,
      fieldPath: path,
      indexes: [],
    }));
  });
  const isSet = (own: FieldOverride) =>
    fieldOverrides.some((each) => {
      return each.collectionGroup === own.collectionGroup && each.fieldPath === own.fieldPath;
    });
  return {
    indexes: [
      // Two lists may need the same index.
      ...new Map(needed.map((index) => [JSON.stringify(index), index])).values(),
      ...indexes.filter((index) => !needed.some((own) => isDeepStrictEqual(own, index))),
    ],
    fieldOverrides: [...unindexed.filter((own) => !isSet(own)), ...fieldOverrides],
  };
}

/** The index of a list; none if it filters only, or orders only: each field has an index of its own. */
function indexOf(collection: Collection, list: ListDefinition): CompositeIndex[] {
  const { filterBy, where, orderBy, descending } = list;
  const filters = [...filterBy, ...Object.keys(where)];
  if (orderBy === undefined || filters.length === 0 || filters.includes(orderBy)) return [];
  const fields = [
    ...filters.map((fieldPath) => ({ fieldPath, order: 'ASCENDING' })),
    { fieldPath: orderBy, order: descending ? 'DESCENDING' : 'ASCENDING' },
  ];
  return [{ collectionGroup: collectionIdOf(collection), queryScope: 'COLLECTION', fields }];
}
