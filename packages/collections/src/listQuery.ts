/** The queries of lists, and what is done where their documents are large. */
import pLimit from 'p-limit';
import type { QueryResult, Position, Query } from '@tattoo-marketplace/firestore-rest';
import type { List } from './collection.ts';
import { find, isTooLarge, LARGEST_RESPONSE } from './database.ts';

/**
 * The parameters of a list: the values of its `filterBy` fields and of the placeholders in its
 * path.
 */
export type KeysOf<Key extends string> = Readonly<Record<Key, string>>;

/** The query of a list. */
export function queryOf(list: List, keys: KeysOf<string>): Query {
  const { where, orderBy, descending, reader } = list;
  return {
    collection: folderOf(list, keys),
    where: { ...ownersOf(list, keys), ...where },
    ...(orderBy !== undefined && { orderBy }),
    ...(descending && { descending }),
    select: reader.fields,
  };
}

/** The path of the collection, with values in place of its placeholders. */
export function folderOf({ path }: Pick<List, 'path'>, keys: KeysOf<string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const key = keys[name];
    if (key === undefined) throw new Error(`${path} lacks a value for ${name}.`);
    return key;
  });
}

/** The values that the documents of a list have in its fields. */
export function ownersOf({ of }: List, keys: KeysOf<string>): Readonly<Record<string, string>> {
  return Object.fromEntries(of.map((field) => [field, keys[field] ?? '']));
}

/** The most bytes of Firestore's response for a page. A page with more is read again, with fewer elements. */
export const PAGE_BYTES = 1024 * 1024;

/** One at a time: a response takes up to 8 times its size in memory. */
const largeReads = pLimit(1);

/** Reads one document of any size that can be received. If the request ends while it waits, nothing is sent. */
export async function findOne(query: Query, after: Position | undefined): Promise<QueryResult> {
  try {
    return await find(query, 1, after, PAGE_BYTES);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
  }
  try {
    return await largeReads(() => find(query, 1, after));
  } catch (cause) {
    if (!isTooLarge(cause)) throw cause;
    const place = `${JSON.stringify({ ...query, select: undefined })} after ${after?.path ?? 'its start'}`;
    throw new Error(`A document is larger than ${LARGEST_RESPONSE} bytes: in ${place}.`, { cause });
  }
}

/** The number of documents to try after a response was too large. */
export function quarterOf(size: number): number {
  return Math.ceil(size / 4);
}
