/** Inserts parameters into the query of a list and the path of a collection. */
import { isDocumentId } from '@tattoo-marketplace/endpoints';
import type { Query } from '@tattoo-marketplace/firestore-rest';
import type { DocumentList } from './defineCollection.ts';

/** Values for the parameters in the path of a collection, and for the fields by which a list is filtered. */
export type Params = Readonly<Record<string, string | number | boolean | undefined>>;

/** Builds the query of a list. Throws if a parameter is missing, unknown or invalid. */
export function buildQuery(list: DocumentList, params: Params): Query {
  const { where, orderBy, descending, decoder, filterTypes, path } = list;
  return {
    collection: resolveCollectionPath(path, params, Object.keys(filterTypes)),
    where: { ...buildFilters(list, params), ...where },
    ...(orderBy !== undefined && { orderBy }),
    ...(descending && { descending }),
    select: decoder.fields,
  };
}

/**
 * Replaces the parameters in the path of a collection by their values. Throws if one is missing or
 * not a document ID, or if `params` has a name that is neither in the path nor one of the `filters`.
 */
export function resolveCollectionPath(
  path: string,
  params: Params,
  filters: readonly string[] = [],
): string {
  const unused = new Set(Object.keys(params));
  for (const field of filters) unused.delete(field);
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

/** Builds the filters of a list from the parameters. Throws if a value is missing or has another type. */
function buildFilters(
  { path, filterBy, optionalFilterBy, filterTypes }: DocumentList,
  params: Params,
): Query['where'] {
  const chosen = optionalFilterBy.filter((field) => params[field] !== undefined);
  return Object.fromEntries(
    [...filterBy, ...chosen].map((field) => {
      const value = params[field];
      const type = filterTypes[field];
      if (value !== undefined && typeof value === type) return [field, value];
      throw new Error(`The list of ${path} needs a ${type} as the parameter ${field}.`);
    }),
  );
}
