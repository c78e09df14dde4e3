/** What a document needs so that the service finds it, and lets its owner change it: as its collection is declared. */
import type { CollectionDeclaration } from '@tattoo-marketplace/collections';

/** A field without which the service does not find a document, or refuses it to everyone. */
export interface Need {
  /** The name of a field of the schema, or the path of one in a map. */
  readonly field: string;
  /** Whether `null` will do. */
  readonly mayBeNull?: boolean;
  /** The documents to which this applies, by the values that their fields have: all by default. */
  readonly only?: Readonly<Record<string, string>>;
  /** What happens to a document without it. */
  readonly otherwise: string;
}

const UNFOUND = 'in no list';

/** What the documents of a collection need. */
export function needsOf({
  lists,
  owner,
  requiredFields = {},
}: CollectionDeclaration): readonly Need[] {
  return [
    ...lists.flatMap(needsOfList),
    ...(owner === undefined ? [] : [{ field: owner, otherwise: 'nobody may change it' }]),
    ...Object.entries(requiredFields).map(([field, otherwise = '']) => ({ field, otherwise })),
  ];
}

function needsOfList({ filterBy, where, orderBy }: CollectionDeclaration['lists'][number]): Need[] {
  const filters = Object.entries(where);
  return [
    ...filterBy.map((field) => ({ field, otherwise: UNFOUND })),
    ...filters.map(([field]) => {
      // A document of another kind (`userType`) is not meant to be in the list.
      const kinds = filters.filter(
        (each): each is [string, string] => each[0] !== field && typeof each[1] === 'string',
      );
      return { field, only: Object.fromEntries(kinds), otherwise: UNFOUND };
    }),
    ...(orderBy === undefined ? [] : [{ field: orderBy, mayBeNull: true, otherwise: UNFOUND }]),
  ];
}
