/** What a document needs so that the service finds it, and lets its owner change it: as its collection is declared. */
import { isDeepStrictEqual } from 'node:util';
import type { AnyCollection } from '@tattoo-marketplace/collections';
import { COLLECTIONS } from '../../functions/service.ts';

/** A field without which the service does not find a document, or refuses it to everyone. */
export interface Need {
  /** The name of a field of the schema, or the path of one in a map. */
  readonly field: string;
  /** How a list uses it, if one does. A value of any type orders a list; a filter needs one of the field's type. */
  readonly list?: 'order' | 'filter';
  /** The documents to which this applies, by the values that their fields have; all, if undefined. */
  readonly only?: Readonly<Record<string, string>>;
  /** What happens to a document without it. */
  readonly otherwise: string;
}

const UNFOUND = 'in no list';
const UNOWNED = 'nobody may change it';

/** What the documents of a collection need, each field once. */
export function needsOf(collection: AnyCollection): readonly Need[] {
  const { owner, required = {} } = collection;
  const all: Need[] = [
    ...collection.lists.flatMap((list) => needsOfList(list)),
    ...(owner === undefined ? [] : [{ field: owner, otherwise: UNOWNED }]),
    ...Object.entries(required).map(([field, otherwise = '']) => ({ field, otherwise })),
  ];
  return [...Map.groupBy(all, ({ field }) => field).values()].map((same) => same.reduce(both));
}

/** Merges two needs of a field: the result is as strict as either, and applies to the documents of both. */
function both(one: Need, other: Need): Need {
  const { only, ...merged } = { ...other, ...one };
  const isFilter = one.list === 'filter' || other.list === 'filter';
  return {
    ...merged,
    ...(isFilter && { list: 'filter' }),
    ...(only && isDeepStrictEqual(one.only, other.only) && { only }),
    otherwise: [...new Set([one.otherwise, other.otherwise])].join(', and '),
  };
}

function needsOfList({ of, where, orderBy }: AnyCollection['lists'][number]): Need[] {
  const filters = Object.entries(where);
  return [
    ...of.map((field) => ({ field, list: 'filter', otherwise: UNFOUND }) as const),
    ...filters.map(([field]) => {
      // A document of another kind (`userType`) is not meant to be in the list.
      const kinds = filters.filter(
        (each): each is [string, string] => each[0] !== field && typeof each[1] === 'string',
      );
      return {
        field,
        list: 'filter',
        otherwise: UNFOUND,
        ...(kinds.length > 0 && { only: Object.fromEntries(kinds) }),
      } as const;
    }),
    ...(orderBy === undefined
      ? []
      : [{ field: orderBy, list: 'order', otherwise: UNFOUND } as const]),
  ];
}

/** The collection at a path, as docs/data.md names it; throws if the service has none. */
export function collectionAt(path: string): AnyCollection {
  const found = COLLECTIONS.find((each) => each.path === path);
  if (found !== undefined) return found;
  const paths = COLLECTIONS.map((each) => each.path).join(', ');
  throw new Error(`There is no collection "${path}". Name one of these: ${paths}`);
}
