/**
 * Reads lists page by page. A page starts after the cursor's document, at that document's current
 * position, and reads one extra document to find out whether there are more. While Firestore's
 * response exceeds 1 MiB, it reads a quarter as many documents, down to two, and then a single one
 * of any size. Page boundaries therefore depend only on the data and the limit, never on load.
 */
import { decodePrimitive, type Position, type Query } from '@tattoo-marketplace/firestore-rest';
import { FieldError } from '@tattoo-marketplace/endpoints';
import type { ListDefinition } from './defineCollection.ts';
import { count, find, getDocuments } from './database.ts';
import { findFitting, findSingle } from './findFitting.ts';
import {
  buildQuery,
  equalityFilters,
  resolveCollectionPath,
  type ListParams,
} from './listQuery.ts';

/** Maximum size of Firestore's response for a page. */
const MAX_PAGE_BYTES = 1024 * 1024;

interface HasId {
  readonly id: string;
}

/** A list that is read in pages. */
export type PagedList<Element = unknown, Key extends string = string> = ListDefinition<
  Element,
  Key,
  string
>;

/** Where a page starts, and how many elements it may have. */
export interface PageRequest {
  readonly limit: number;
  /** The id of the last element of the previous page. */
  readonly cursor?: string | undefined;
}

/** One page of a list. */
export interface Page<Element> {
  readonly items: Element[];
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
  params: ListParams<Key>,
  { limit, cursor }: PageRequest,
): Promise<Page<Element>> {
  const after = await resolveCursor(list, params, cursor);
  return readPageAfter(list, buildQuery(list, params), limit, after);
}

/** Reads one page like `readPage`, and counts the whole list. */
export async function readPageWithTotal<Element extends HasId, Key extends string>(
  list: PagedList<Element, Key>,
  params: ListParams<Key>,
  { limit, cursor }: PageRequest,
): Promise<Page<Element> & { readonly total: number }> {
  const after = await resolveCursor(list, params, cursor);
  const query = buildQuery(list, params);
  const [page, counted] = await Promise.all([
    readPageAfter(list, query, limit, after),
    count(query),
  ]);
  // Elements may have been removed or added between the two calls.
  return { ...page, total: Math.max(counted, page.items.length) };
}

/** Reads the page after a position, with fewer items if they are too large. */
async function readPageAfter<Element extends HasId>(
  list: ListDefinition<Element>,
  query: Query,
  limit: number,
  after: Position | undefined,
): Promise<Page<Element>> {
  // The extra document decides `hasMore`.
  const fitting = await findFitting(query, limit + 1, after, MAX_PAGE_BYTES);
  if (fitting === undefined) return readSingleItemPage(list, query, after);
  const { documents, requestedSize } = fitting;
  const items = list.decoder.decodeAll(documents.slice(0, requestedSize - 1));
  return createPage(items, documents.length === requestedSize);
}

/** Reads a page of one element, of any size that can be received. */
async function readSingleItemPage<Element extends HasId>(
  list: ListDefinition<Element>,
  query: Query,
  after: Position | undefined,
): Promise<Page<Element>> {
  const { items, position } = await readSingleItem(list, query, after);
  if (position === undefined) return createPage(items, false);
  // Only the existence of a next document matters, so select nothing but its name.
  const following = await find({ ...query, select: ['__name__'] }, 1, position);
  return createPage(items, following.documents.length > 0);
}

/** Reads one item and its position. The rest of the document may be large, and is released. */
async function readSingleItem<Element>(
  list: ListDefinition<Element>,
  query: Query,
  after: Position | undefined,
) {
  const { documents } = await findSingle(query, after);
  const [position] = documents.map(({ path, fields }) => {
    const orderField = Object.entries(fields).filter(([name]) => name === query.orderBy);
    return { path, fields: Object.fromEntries(orderField) };
  });
  return { items: list.decoder.decodeAll(documents), position };
}

function createPage<Element extends HasId>(elements: Element[], hasMore: boolean): Page<Element> {
  const last = elements.at(-1);
  return hasMore && last
    ? { items: elements, hasMore, nextCursor: last.id }
    : { items: elements, hasMore: false };
}

/**
 * Resolves a cursor to the current position of its document. Cursors are stateless, so any instance
 * can continue.
 */
async function resolveCursor(
  list: PagedList,
  params: ListParams<string>,
  cursor: string | undefined,
): Promise<Position | undefined> {
  if (cursor === undefined) return undefined;
  const orderField = list.orderBy;
  const owners = Object.entries(equalityFilters(list, params));
  const mask = [...owners.map(([name]) => name), orderField];
  const [document] = await getDocuments([`${resolveCollectionPath(list, params)}/${cursor}`], mask);
  const { fields = {} } = document ?? {};
  // `where` is deliberately not checked: a document that was hidden in the meantime is still a
  // valid cursor.
  const isOwned = owners.every(([name, value]) => decodePrimitive(fields[name]) === value);
  if (document !== undefined && isOwned && orderField in fields) return document;
  throw new FieldError('cursor-not-found', { field: 'cursor' }, 'is not an element of this list');
}
