/**
 * Reads lists page by page. A page starts after the cursor's document, at that document's current
 * position, and reads one extra document to find out whether there are more. While Firestore's
 * response exceeds 1 MiB, it reads a quarter as many documents, down to two, and then a single one
 * of any size. Page boundaries therefore depend only on the data and the limit, never on load.
 */
import { decodePrimitive, type Position, type Query } from '@tattoo-marketplace/firestore-rest';
import { FieldError } from '@tattoo-marketplace/endpoints';
import type { DocumentList, PagedDocumentList } from './defineCollection.ts';
import { count, find, getDocuments } from './database.ts';
import { findFitting, findSingle } from './findFitting.ts';
import { buildQuery, type Params } from './listQuery.ts';
import { buildRange, isEmptyRange, isInRange, type RangeRequest } from './valueRange.ts';

/** Maximum size of Firestore's response for a page, in bytes. */
const MAX_PAGE_BYTES = 1024 * 1024;

interface HasId {
  readonly id: string;
}

/**
 * The position and the maximum number of items of a page. With `from` or `to`, the list has only documents whose sort
 * field is in that range, a number or a string as these are: a range of times has no `Timestamp`s.
 */
export interface PageRequest extends RangeRequest {
  readonly limit: number;
  /** The ID of the last item of the previous page. Absent for the first page. */
  readonly cursor?: string | undefined;
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  readonly hasMore: boolean;
  /** Present exactly when `hasMore` is true. */
  readonly nextCursor?: string;
}

/**
 * Reads one page. A page of large items may have fewer items than `limit` although more follow. Throws
 * `cursor-not-found` unless the cursor is the ID of a document that matches the parameters and is in the range.
 */
export async function readPage<Item extends HasId>(
  list: PagedDocumentList<Item>,
  params: Params,
  page: PageRequest,
): Promise<Page<Item>> {
  const query = buildRangeQuery(list, params, page);
  const after = await resolveCursor(list, query, page);
  if (isEmptyRange(page)) return createPage([], false);
  return readPageAfter(list, query, page.limit, after);
}

/** Reads one page like `readPage`, and counts the entire list, or its range. */
export async function readPageWithTotal<Item extends HasId>(
  list: PagedDocumentList<Item>,
  params: Params,
  page: PageRequest,
): Promise<Page<Item> & { readonly total: number }> {
  const query = buildRangeQuery(list, params, page);
  const after = await resolveCursor(list, query, page);
  if (isEmptyRange(page)) return { ...createPage<Item>([], false), total: 0 };
  const [{ items, ...position }, total] = await Promise.all([
    readPageAfter(list, query, page.limit, after),
    count(query),
  ]);
  // Items may have been removed or added between the two calls.
  return { items, ...position, total: Math.max(total, items.length) };
}

/** Builds the query of a list, or of a range of it. */
function buildRangeQuery(list: PagedDocumentList, params: Params, page: PageRequest): Query {
  const range = buildRange(page);
  return { ...buildQuery(list, params), ...(range && { range }) };
}

/** Reads the page after a position, with fewer items if they are too large. */
async function readPageAfter<Item extends HasId>(
  list: DocumentList<Item>,
  query: Query,
  limit: number,
  after: Position | undefined,
): Promise<Page<Item>> {
  // The extra document decides `hasMore`.
  const fitting = await findFitting(query, limit + 1, after, MAX_PAGE_BYTES);
  if (fitting === undefined) return readSingleItemPage(list, query, after);
  const { documents, requestedSize } = fitting;
  const items = list.decoder.decodeAll(documents.slice(0, requestedSize - 1));
  return createPage(items, documents.length === requestedSize);
}

/** Reads a page of one item of up to `MAX_FIRESTORE_RESPONSE_BYTES`. */
async function readSingleItemPage<Item extends HasId>(
  list: DocumentList<Item>,
  query: Query,
  after: Position | undefined,
): Promise<Page<Item>> {
  const { items, position } = await readSingleItem(list, query, after);
  if (position === undefined) return createPage(items, false);
  // Only the existence of a next document matters, so the query selects nothing but its name.
  const { documents } = await find({ ...query, select: ['__name__'] }, 1, position);
  return createPage(items, documents.length > 0);
}

/** Reads one item and its position. The large document itself is not kept in memory. */
async function readSingleItem<Item>(
  list: DocumentList<Item>,
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

function createPage<Item extends HasId>(items: Item[], hasMore: boolean): Page<Item> {
  const lastItem = items.at(-1);
  return hasMore && lastItem !== undefined
    ? { items, hasMore, nextCursor: lastItem.id }
    : { items, hasMore: false };
}

/**
 * Resolves a cursor to the current position of its document. Cursors are stateless, so any instance
 * can continue.
 */
async function resolveCursor(
  { filterBy, orderBy }: PagedDocumentList,
  { collection, where }: Query,
  { cursor, ...range }: PageRequest,
): Promise<Position | undefined> {
  if (cursor === undefined) return undefined;
  const [document] = await getDocuments([`${collection}/${cursor}`], [...filterBy, orderBy]);
  const { fields = {} } = document ?? {};
  // The fixed and optional filters of the list are deliberately not checked: a document that was
  // hidden meanwhile, or whose status has changed, is still a valid cursor.
  const matchesFilters = filterBy.every((field) => decodePrimitive(fields[field]) === where[field]);
  const isListed = matchesFilters && orderBy in fields && isInRange(fields[orderBy], range);
  if (document !== undefined && isListed) return document;
  throw new FieldError('cursor-not-found', { field: 'cursor' }, 'is not an item of this list');
}
