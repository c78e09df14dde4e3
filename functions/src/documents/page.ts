/** Lists: read in pages, or whole in parts. */
import { setImmediate } from 'node:timers/promises';
import { HttpError } from '../errors.ts';
import {
  fromValue,
  type Found,
  type Position,
  type Query,
  type StoredDocument,
} from '@tattoo-marketplace/firestore-rest';
import { count, find, getDocuments } from './database.ts';
import type { DocumentReader } from './documentReader.ts';

/** A list, by the names of the schema that its elements are read by. */
export interface List<Element> extends Omit<Query, 'select'> {
  readonly reader: DocumentReader<Element>;
  /**
   * The values that say whose list it is; none if the collection has one list only. A cursor must have them, but not those
   * of `where`: a document that has been hidden since keeps its place in the order.
   */
  readonly owner: Query['where'];
}

/** A list that is read in pages. */
export type PagedList<Element> = List<Element> & { readonly orderBy: string };

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

/** Reads one page. Throws `cursor-not-found` if the cursor names no document of the list's owner. */
export async function readPage<Element>(
  list: PagedList<Element>,
  { limit, cursor }: PageRequest,
): Promise<Page<Element>> {
  const after = await positionOf(list, cursor);
  const { documents } = await find(queryOf(list), limit + 1, after);
  return pageOf(list, documents.slice(0, limit), documents.length > limit);
}

/** Reads one page like `readPage`, and counts the whole list. */
export async function readCountedPage<Element>(
  list: PagedList<Element>,
  { limit, cursor }: PageRequest,
): Promise<Page<Element> & { readonly total: number }> {
  const after = await positionOf(list, cursor);
  const query = queryOf(list);
  // The count says whether more elements follow a first page. A later one looks one element ahead.
  const size = after === undefined ? limit : limit + 1;
  const [{ documents }, counted] = await Promise.all([find(query, size, after), count(query)]);
  const isFollowed = after === undefined ? counted > limit : documents.length > limit;
  // Elements may have been added or removed between the two calls.
  const page = pageOf(list, documents.slice(0, limit), isFollowed && documents.length >= limit);
  return { ...page, total: Math.max(counted, page.elements.length + Number(page.hasMore)) };
}

/** The query of a list, by the names under which its fields are stored. */
function queryOf({ reader, owner, where, orderBy, ...others }: List<unknown>): Query {
  const { names, fields } = reader;
  const values = Object.entries({ ...owner, ...where });
  return {
    ...others,
    where: Object.fromEntries(values.map(([path, value]) => [names.pathOf(path), value])),
    ...(orderBy !== undefined && { orderBy: names.pathOf(orderBy) }),
    select: fields,
  };
}

function pageOf<Element>(
  { reader }: List<Element>,
  documents: readonly StoredDocument[],
  hasMore: boolean,
): Page<Element> {
  const elements = reader.readAll(documents);
  const last = documents.at(-1);
  return hasMore && last
    ? { elements, hasMore, nextCursor: last.id }
    : { elements, hasMore: false };
}

/** Where the document of a cursor stands now. Nothing is remembered: all instances continue at the same place. */
async function positionOf(
  { collection, owner, orderBy, reader: { names } }: PagedList<unknown>,
  cursor: string | undefined,
): Promise<Position | undefined> {
  if (cursor === undefined) return undefined;
  const place = names.pathOf(orderBy);
  const owners = Object.entries(owner).map(
    ([field, value]) => [names.pathOf(field), value] as const,
  );
  const mask = [...owners.map(([name]) => name), place];
  const [document] = await getDocuments([`${collection}/${cursor}`], mask);
  const { fields = {} } = document ?? {};
  const isOwned = owners.every(([name, value]) => fromValue(fields[name]) === value);
  if (document !== undefined && isOwned && place in fields) return document;
  throw new HttpError('cursor-not-found', 'cursor is not an element of this list.');
}

/** The size of a part, in bytes, and in documents: more would stop the event loop for longer. */
const PART_BYTES = 4 * 1024 * 1024;
const MAX_PART = 1500;
/** The documents of the first part, whose size is unknown. */
const FIRST_PART = 100;

/** Reads a whole list in parts, so that it is never in memory all at once. */
export function readInParts<Element>(list: List<Element>): AsyncGenerator<Element[]> {
  return list.reader.readParts(partsOf(queryOf(list)));
}

/** Each part has as many documents as fit into the bytes of a part, judged by the part before. */
async function* partsOf(query: Query): AsyncGenerator<readonly StoredDocument[]> {
  let size = FIRST_PART;
  let next: Promise<Found> | undefined = find(query, size);
  while (next !== undefined) {
    const found: Found = await next;
    const { documents, bytes } = found;
    const last: StoredDocument | undefined =
      documents.length === size ? documents.at(-1) : undefined;
    const fitting = Math.floor((PART_BYTES * documents.length) / bytes);
    size = Math.min(MAX_PART, Math.max(1, fitting));
    // The next part loads while the caller processes this one.
    next = last && find(query, size, last);
    // A failure is thrown when the part is awaited; until then it must not count as unhandled.
    next?.catch(() => undefined);
    // Lets the request for the next part leave, and other requests run, before this part is processed.
    await setImmediate();
    yield documents;
  }
}
