/**
 * Reads lists page by page. A page starts after the cursor's document, at that document's current
 * position, and reads one extra document to find out whether there are more. If the documents
 * exceed 1 MiB, it reads a quarter as many, down to a single document of any size. Page boundaries
 * therefore depend only on the data and the limit, never on load.
 */
import { decodePrimitive, type Position, type Query } from '@tattoo-marketplace/firestore-rest';
import { FieldError } from '@tattoo-marketplace/endpoints';
import type { List } from './collection.ts';
import { count, find, getDocuments, isTooLarge } from './database.ts';
import {
  findOne,
  folderOf,
  ownersOf,
  PAGE_BYTES,
  quarterOf,
  queryOf,
  type KeysOf,
} from './listQuery.ts';

interface HasId {
  readonly id: string;
}

/** A list that is read in pages. */
export type PagedList<Element = unknown, Key extends string = string> = List<Element, Key, string>;

/** Where a page starts, and how many elements it may have. */
export interface PageRequest {
  readonly limit: number;
  /** The id of the last element of the previous page. */
  readonly cursor?: string | undefined;
}

/** One page of a list. */
export interface Page<Element> {
  readonly elements: Element[];
  readonly hasMore: boolean;
  /** Present exactly when `hasMore` is true. */
  readonly nextCursor?: string;
}

/**
 * Reads one page, which may have fewer elements than `limit` although others follow, if they are large. Throws
 * `cursor-not-found` if the cursor names no document of the list's owner.
 */
export async function readPage<Element extends HasId, Key extends string>(
  list: PagedList<Element, Key>,
  keys: KeysOf<Key>,
  { limit, cursor }: PageRequest,
): Promise<Page<Element>> {
  const after = await positionOf(list, keys, cursor);
  return pageAfter(list, queryOf(list, keys), limit, after);
}

/** Reads one page like `readPage`, and counts the whole list. */
export async function readCountedPage<Element extends HasId, Key extends string>(
  list: PagedList<Element, Key>,
  keys: KeysOf<Key>,
  { limit, cursor }: PageRequest,
): Promise<Page<Element> & { readonly total: number }> {
  const after = await positionOf(list, keys, cursor);
  const query = queryOf(list, keys);
  const [page, counted] = await Promise.all([pageAfter(list, query, limit, after), count(query)]);
  // Elements may have been removed or added between the two calls.
  return { ...page, total: Math.max(counted, page.elements.length) };
}

/** Reads the page after a position, with fewer elements if they are too large. */
async function pageAfter<Element extends HasId>(
  list: List<Element>,
  query: Query,
  limit: number,
  after: Position | undefined,
): Promise<Page<Element>> {
  try {
    const { documents } = await find(query, limit + 1, after, PAGE_BYTES);
    return pageOf(list.reader.readAll(documents.slice(0, limit)), documents.length > limit);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    const fewer = quarterOf(limit);
    return fewer > 1 ? pageAfter(list, query, fewer, after) : pageOfOne(list, query, after);
  }
}

/** Reads a page of one element, of any size that can be received. */
async function pageOfOne<Element extends HasId>(
  list: List<Element>,
  query: Query,
  after: Position | undefined,
): Promise<Page<Element>> {
  const { elements, position } = await readOne(list, query, after);
  if (position === undefined) return pageOf(elements, false);
  // Only the existence of a next document matters, so select nothing but its name.
  const following = await find({ ...query, select: ['__name__'] }, 1, position);
  return pageOf(elements, following.documents.length > 0);
}

/** Reads one item and its position. The rest of the document may be large, and is released. */
async function readOne<Element>(list: List<Element>, query: Query, after: Position | undefined) {
  const { documents } = await findOne(query, after);
  const [position] = documents.map(({ path, fields }) => {
    const place = Object.entries(fields).filter(([name]) => name === query.orderBy);
    return { path, fields: Object.fromEntries(place) };
  });
  return { elements: list.reader.readAll(documents), position };
}

function pageOf<Element extends HasId>(elements: Element[], hasMore: boolean): Page<Element> {
  const last = elements.at(-1);
  return hasMore && last
    ? { elements, hasMore, nextCursor: last.id }
    : { elements, hasMore: false };
}

/**
 * Resolves a cursor to the current position of its document. Cursors are stateless, so any instance
 * can continue.
 */
async function positionOf(
  list: PagedList,
  keys: KeysOf<string>,
  cursor: string | undefined,
): Promise<Position | undefined> {
  if (cursor === undefined) return undefined;
  const place = list.orderBy;
  const owners = Object.entries(ownersOf(list, keys));
  const mask = [...owners.map(([name]) => name), place];
  const [document] = await getDocuments([`${folderOf(list, keys)}/${cursor}`], mask);
  const { fields = {} } = document ?? {};
  // `where` is deliberately not checked: a document that was hidden in the meantime is still a
  // valid cursor.
  const isOwned = owners.every(([name, value]) => decodePrimitive(fields[name]) === value);
  if (document !== undefined && isOwned && place in fields) return document;
  throw new FieldError('cursor-not-found', { field: 'cursor' }, 'is not an element of this list');
}
