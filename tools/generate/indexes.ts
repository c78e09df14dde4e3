/** The indexes of the declared lists in firestore.indexes.json. No emulator demands them, but production does. */
import { isDeepStrictEqual } from 'node:util';
import { type AnyCollection, type List, nameOf } from '@tattoo-marketplace/collections';
import type { CompositeIndex } from '@tattoo-marketplace/firestore-embedded';
import { COLLECTIONS } from '../../functions/service.ts';

/** How a single field is indexed, instead of in both directions and for arrays. */
export interface FieldOverride {
  readonly collectionGroup: string;
  /** `*` for all fields without a setting of their own. */
  readonly fieldPath: string;
  readonly indexes: readonly { readonly order?: string; readonly queryScope?: string }[];
}

interface IndexFile {
  readonly indexes: readonly CompositeIndex[];
  readonly fieldOverrides: readonly FieldOverride[];
}

/**
 * firestore.indexes.json with what the lists of these collections need. Entries of others stay, behind these. Throws if one
 * of them takes a list its index.
 */
export function withIndexes(file: string, collections = COLLECTIONS): IndexFile {
  const { indexes = [], fieldOverrides = [] } = JSON.parse(file) as Partial<IndexFile>;
  const needed = collections.flatMap((each) => each.lists.flatMap((list) => indexOf(each, list)));
  const lost = lostIndexes(fieldOverrides, collections);
  if (lost.length > 0) throw new Error(['firestore.indexes.json', ...lost].join('\n'));
  const unindexed = collections.flatMap(overridesOf).filter((own) => {
    return !fieldOverrides.some((each) => isSameField(each, own));
  });
  return {
    indexes: [
      // Two lists may need the same index.
      ...new Map(needed.map((index) => [JSON.stringify(index), index])).values(),
      ...indexes.filter((index) => !needed.some((own) => isDeepStrictEqual(own, index))),
    ],
    fieldOverrides: [...unindexed, ...fieldOverrides],
  };
}

/** Whether two settings are of the same field. */
export function isSameField(
  one: Pick<FieldOverride, 'collectionGroup' | 'fieldPath'>,
  other: Pick<FieldOverride, 'collectionGroup' | 'fieldPath'>,
): boolean {
  return one.collectionGroup === other.collectionGroup && one.fieldPath === other.fieldPath;
}

/** The lists that Firestore would refuse, as sentences: with these settings, fields that they need lack their own index. */
export function lostIndexes(
  settings: readonly FieldOverride[],
  collections = COLLECTIONS,
): string[] {
  return collections.flatMap((collection) => {
    const group = nameOf(collection);
    const ofGroup = settings.filter(({ collectionGroup }) => collectionGroup === group);
    const lists = collection.lists.filter((list) => indexOf(collection, list).length === 0);
    return lists.flatMap((list) =>
      fieldsOf(list)
        .filter(({ fieldPath, order }) => {
          const setting = settingOf(ofGroup, fieldPath);
          return setting?.indexes.some((index) => index.order === order) === false;
        })
        .map(({ fieldPath, order }) => {
          return `LOST index of ${group}.${fieldPath}, ${order}: a list needs it, so add it to the setting of this field.`;
        }),
    );
  });
}

/** The setting of a field: its own, that of the closest map that it is in, or that of all fields. */
function settingOf(settings: readonly FieldOverride[], path: string): FieldOverride | undefined {
  return settings
    .filter(({ fieldPath }) => fieldPath === '*' || `${path}.`.startsWith(`${fieldPath}.`))
    .toSorted((one, other) => other.fieldPath.length - one.fieldPath.length)[0];
}

/** The fields of a list, filters first, and how they must be indexed. */
function fieldsOf({ of, where, orderBy, descending }: List) {
  const filters = new Set([...of, ...Object.keys(where)]);
  const field = (fieldPath: string, order: string) => ({ fieldPath, order });
  return [
    ...[...filters].map((path) => field(path, 'ASCENDING')),
    ...(orderBy === undefined || filters.has(orderBy)
      ? []
      : [field(orderBy, descending ? 'DESCENDING' : 'ASCENDING')]),
  ];
}

/** The index of a list; none if it filters only, or orders only: each field has an index of its own. */
function indexOf(collection: AnyCollection, list: List): CompositeIndex[] {
  const { of, where, orderBy } = list;
  const filters = [...of, ...Object.keys(where)];
  if (orderBy === undefined || filters.length === 0 || filters.includes(orderBy)) return [];
  const fields = fieldsOf(list);
  return [{ collectionGroup: nameOf(collection), queryScope: 'COLLECTION', fields }];
}

function overridesOf(collection: AnyCollection) {
  const { unindexed = [] } = collection;
  return unindexed.map((fieldPath) => ({
    collectionGroup: nameOf(collection),
    fieldPath,
    indexes: [],
  }));
}
