/** Inserts parameters into the query of a list and the path of a collection. */
import { isDocumentId } from '@tattoo-marketplace/endpoints';
import type { Query } from '@tattoo-marketplace/firestore-rest';
import type { DocumentList } from './defineCollection.ts';

/** Values for the parameters in the path of a collection, and for the `filterBy` fields of a list. */
export type Params = Readonly<Record<string, string>>;

/** Builds the query of a list. Throws if a parameter is missing, unknown or invalid. */
export function buildQuery(list: DocumentList, params: Params): Query {
  const { where, orderBy, descending, decoder, filterBy, path } = list;
  return {
    collection: resolveCollectionPath(path, params, filterBy),
    where: { ...buildFilters(list, params), ...where },
    ...(orderBy !== undefined && { orderBy }),
    ...(descending && { descending }),
    select: decoder.fields,
  };
}

/**
 * Replaces the parameters in the path of a collection by their values. Throws if one is missing or
 * not a document ID, or if `params` has a name that is neither in the path nor a `filterBy` field.
 */
export function resolveCollectionPath(
  path: string,
  params: Params,
  filterBy: readonly string[] = [],
): string {
  const unused = new Set(Object.keys(params));
  for (const field of filterBy) unused.delete(field);
  const resolved = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    unused.delete(name);
    const value: unknown = params[name];
    if (typeof value === 'string' && isDocumentId(value)) return value;
    throw new Error(`${path} needs a document ID as the parameter ${name}.`);
  });
  const [unknownName] = unused;
  if (unknownName !== undefined) throw new Error(`${path} has no parameter ${unknownName}.`);
  return resolved;
}

/** Builds the filters of a list: the values of its `filterBy` fields. Throws if one is missing. */
function buildFilters({ path, filterBy }: DocumentList, params: Params): Params {
  return Object.fromEntries(
    filterBy.map((field) => {
      const value: unknown = params[field];
      if (typeof value === 'string') return [field, value];
      throw new Error(`The list of ${path} needs a string as the parameter ${field}.`);
    }),
  );
}
