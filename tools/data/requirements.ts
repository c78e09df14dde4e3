/** What a document needs so that the service finds it, and lets its owner change it: as its collection is declared. */
import type { Collection } from '@tattoo-marketplace/collections';

/** A field without which the service does not find a document, or refuses it to everyone. */
export interface FieldRequirement {
  /** The name of a field of the schema, or the path of one in a map. */
  readonly field: string;
  /** Whether `null` will do. */
  readonly mayBeNull?: boolean;
  /** The documents to which this applies, by the values that their fields have: all by default. */
  readonly appliesWhen?: Readonly<Record<string, string>>;
  /** What happens to a document without it. */
  readonly consequence: string;
}

const NOT_LISTED = 'in no list';

/** What the documents of a collection need. */
export function getFieldRequirements({
  lists,
  owner,
  requiredFields,
}: Collection): readonly FieldRequirement[] {
  return [
    ...lists.flatMap(getListRequirements),
    ...(owner === undefined ? [] : [{ field: owner, consequence: 'nobody may change it' }]),
    ...Object.entries(requiredFields).map(([field, consequence = '']) => ({ field, consequence })),
  ];
}

function getListRequirements({
  filterBy,
  where,
  orderBy,
}: Collection['lists'][number]): FieldRequirement[] {
  const filters = Object.entries(where);
  return [
    ...filterBy.map((field) => ({ field, consequence: NOT_LISTED })),
    ...filters.map(([field]) => {
      // A document of another kind (`userType`) is not meant to be in the list.
      const kinds = filters.filter(
        (each): each is [string, string] => each[0] !== field && typeof each[1] === 'string',
      );
      return { field, appliesWhen: Object.fromEntries(kinds), consequence: NOT_LISTED };
    }),
    ...(orderBy === undefined
      ? []
      : [{ field: orderBy, mayBeNull: true, consequence: NOT_LISTED }]),
  ];
}
