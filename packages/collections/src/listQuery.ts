/** The queries of lists, and what is done where their documents are large. */
import pLimit from 'p-limit';
import type { QueryResult, Position, Query } from '@tattoo-marketplace/firestore-rest';
import type { ListDefinition } from './defineCollection.ts';
import { find, isResponseTooLarge, MAX_RESPONSE_BYTES } from './database.ts';

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

/** The most bytes of Firestore's response for a page. A page with more is read again, with fewer elements. */
export const MAX_PAGE_BYTES = 1024 * 1024;

/** One at a time: a response takes up to 8 times its size in memory. */
const largeReadQueue = pLimit(1);

/** Reads one document of any size that can be received. If the request ends while it waits, nothing is sent. */
export async function findOneOfAnySize(
  query: Query,
  after: Position | undefined,
): Promise<QueryResult> {
  try {
    return await find(query, 1, after, MAX_PAGE_BYTES);
  } catch (error) {
    if (!isResponseTooLarge(error)) throw error;
  }
  try {
    return await largeReadQueue(() => find(query, 1, after));
  } catch (cause) {
    if (!isResponseTooLarge(cause)) throw cause;
    const place = `${JSON.stringify({ ...query, select: undefined })} after ${after?.path ?? 'its start'}`;
    throw new Error(`A document is larger than ${MAX_RESPONSE_BYTES} bytes: in ${place}.`, {
      cause,
    });
  }
}

/** The number of documents to try after a response was too large. */
export function quarter(size: number): number {
  return Math.ceil(size / 4);
}
