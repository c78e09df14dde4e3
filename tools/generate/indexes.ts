/** Generates the indexes of the declared lists in firestore.indexes.json. Production requires them; emulators do not. */
import { isDeepStrictEqual } from 'node:util';
import {
  type Collection,
  type DocumentList,
  getCollectionId,
} from '@tattoo-marketplace/collections';
import type { CompositeIndex } from '@tattoo-marketplace/firestore-embedded';
import { parseIndexes, replaceJsonValue, type FieldOverride } from '../../dev/configFiles.ts';

/** Updates firestore.indexes.json with the indexes that the lists of these collections need. All other entries stay, after these. */
export function updateIndexes(text: string, collections: readonly Collection[]): string {
  const { indexes, fieldOverrides } = parseIndexes(text);
  const neededIndexes = removeDuplicates(
    collections.flatMap((collection) =>
      collection.lists.flatMap((list) => deriveIndexes(collection, list)),
    ),
  );
  const exemptions = collections.flatMap((collection) =>
    collection.indexExemptions.map((fieldPath) => ({
      collectionGroup: getCollectionId(collection),
      fieldPath,
      indexes: [],
    })),
  );
  const hasOverride = ({ collectionGroup, fieldPath }: FieldOverride) =>
    fieldOverrides.some(
      (override) =>
        override.collectionGroup === collectionGroup && override.fieldPath === fieldPath,
    );
  const isNeeded = (index: CompositeIndex) =>
    neededIndexes.some((needed) => isDeepStrictEqual(needed, normalizeIndex(index)));
  const updated = replaceJsonValue(
    text,
    ['indexes'],
    [...neededIndexes, ...indexes.filter((index) => !isNeeded(index))],
  );
  return replaceJsonValue(
    updated,
    ['fieldOverrides'],
    [...exemptions.filter((exemption) => !hasOverride(exemption)), ...fieldOverrides],
  );
}

/** Removes duplicates: two lists may need the same index. */
function removeDuplicates(indexes: readonly CompositeIndex[]): CompositeIndex[] {
  return [...new Map(indexes.map((index) => [JSON.stringify(index), index])).values()];
}

/**
 * Removes the defaults that `firebase firestore:indexes` adds to an index: the density of entries, and the document ID as the
 * last field, in the order of the field before it.
 */
function normalizeIndex({ collectionGroup, queryScope, fields }: CompositeIndex): CompositeIndex {
  const last = fields.at(-1);
  const isDefault = last?.fieldPath === '__name__' && last.order === fields.at(-2)?.order;
  return { collectionGroup, queryScope, fields: isDefault ? fields.slice(0, -1) : fields };
}

/** Derives the indexes of a list: one for each combination of its optional filters. */
function deriveIndexes(collection: Collection, list: DocumentList): CompositeIndex[] {
  const combinations = list.optionalFilterBy.reduce<string[][]>(
    (shorter, field) => [...shorter, ...shorter.map((fields) => [...fields, field])],
    [[]],
  );
  return combinations.flatMap((fields) =>
    deriveIndex(collection, list, [...list.filterBy, ...fields, ...Object.keys(list.where)]),
  );
}

/** Derives the index of a list. A list that only filters or only sorts needs none: each field has its own index. */
function deriveIndex(
  collection: Collection,
  { orderBy, descending }: DocumentList,
  filters: readonly string[],
): CompositeIndex[] {
  if (orderBy === undefined || filters.length === 0 || filters.includes(orderBy)) return [];
  const fields = [
    ...filters.map((fieldPath) => ({ fieldPath, order: 'ASCENDING' })),
    { fieldPath: orderBy, order: descending ? 'DESCENDING' : 'ASCENDING' },
  ];
  return [{ collectionGroup: getCollectionId(collection), queryScope: 'COLLECTION', fields }];
}
