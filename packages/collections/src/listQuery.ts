/** The Firestore query of a list with its parameters. */
import type { Query } from '@tattoo-marketplace/firestore-rest';
import type { ListDefinition } from './defineCollection.ts';

/**
 * The parameters of a list: the values of its `filterBy` fields and of the placeholders in its
 * path.
 */
export type ListParams<Key extends string> = Readonly<Record<Key, string>>;

/** The query of a list. */
export function buildQuery(list: ListDefinition, params: ListParams<string>): Query {
  const { where, orderBy, descending, decoder } = list;
  return {
    collection: resolveCollectionPath(list, params),
    where: { ...equalityFilters(list, params), ...where },
    ...(orderBy !== undefined && { orderBy }),
    ...(descending && { descending }),
    select: decoder.fields,
  };
}

/** The path of the collection, with values in place of its placeholders. */
export function resolveCollectionPath(
  { path }: Pick<ListDefinition, 'path'>,
  params: ListParams<string>,
): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const key = params[name];
    if (key === undefined) throw new Error(`${path} lacks a value for ${name}.`);
    return key;
  });
}

/** The values that the documents of a list have in its fields. */
export function equalityFilters(
  { filterBy }: ListDefinition,
  params: ListParams<string>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(filterBy.map((field) => [field, params[field] ?? '']));
}
