/** Lists, which are read in pages, or completely in several parts. */
import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import { FieldError } from '../errors.ts';
import {
  fromValue,
  type Found,
  type Position,
  type Query,
  type StoredDocument,
} from '@tattoo-marketplace/firestore-rest';
import type { List } from './collection.ts';
import { count, find, getDocuments, isTooLarge, LARGEST_RESPONSE } from './database.ts';

interface HasId {
  readonly id: string;
}

/** A list that is read in pages. */
export type PagedList<Element = unknown, Key extends string = string> = List<Element, Key, string>;

/** The values that say whose list it is: those of its fields, and those of the placeholders in its path. */
type KeysOf<Key extends string> = Readonly<Record<Key, string>>;

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

/** The most bytes of Firestore's response for a page. A page with more is read again, with fewer elements. */
const PAGE_BYTES = 1024 * 1024;

/** Reads of single documents that are larger: two at a time, because a response takes up to 8 times its size in memory. */
const largeReads = pLimit(2);

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

/**
 * Reads the page after a position, and one element more: it alone says whether others follow. If they are too large, reads
 * a quarter of them: where a page ends depends on what is stored and on its limit, never on load.
 */
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
  // Of the next document only the name is needed.
  const following = await find({ ...query, select: ['__name__'] }, 1, position);
  return pageOf(elements, following.documents.length > 0);
}

/**
 * Reads one element, and where it stands: no more of the document, so that what is stored, which may take far more memory, is
 * not needed any longer.
 */
async function readOne<Element>(list: List<Element>, query: Query, after: Position | undefined) {
  const { documents } = await findOne(query, after);
  const [position] = documents.map(({ path, fields }) => {
    const place = Object.entries(fields).filter(([name]) => name === query.orderBy);
    return { path, fields: Object.fromEntries(place) };
  });
  return { elements: list.reader.readAll(documents), position };
}

async function findOne(query: Query, after: Position | undefined): Promise<Found> {
  try {
    return await find(query, 1, after, PAGE_BYTES);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    return findLarge(query, after);
  }
}

/** Reads one document that is larger than a page. If the request ends while it waits, nothing is sent. */
async function findLarge(query: Query, after: Position | undefined): Promise<Found> {
  try {
    return await largeReads(() => find(query, 1, after));
  } catch (cause) {
    if (!isTooLarge(cause)) throw cause;
    const place = `${JSON.stringify({ ...query, select: undefined })} after ${after?.path ?? 'its start'}`;
    throw new Error(`A document is larger than ${LARGEST_RESPONSE} bytes: in ${place}.`, { cause });
  }
}

/** Of documents that are too large together, a fourth is read. */
const QUARTER = 4;

function quarterOf(size: number): number {
  return Math.ceil(size / QUARTER);
}

/** The query of a list. */
function queryOf(list: List, keys: KeysOf<string>): Query {
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
function folderOf({ path }: List, keys: KeysOf<string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => keys[name] ?? '');
}

/** The values that the documents of a list have in its fields. */
function ownersOf({ of }: List, keys: KeysOf<string>): Readonly<Record<string, string>> {
  return Object.fromEntries(of.map((field) => [field, keys[field] ?? '']));
}

function pageOf<Element extends HasId>(elements: Element[], hasMore: boolean): Page<Element> {
  const last = elements.at(-1);
  return hasMore && last
    ? { elements, hasMore, nextCursor: last.id }
    : { elements, hasMore: false };
}

/** Where the document of a cursor stands now. Nothing is remembered: all instances continue at the same place. */
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
  // The values of `where` are not compared: a document that has been hidden since still has its place in the order.
  const isOwned = owners.every(([name, value]) => fromValue(fields[name]) === value);
  if (document !== undefined && isOwned && place in fields) return document;
  throw new FieldError('cursor-not-found', { field: 'cursor' }, 'is not an element of this list');
}

/** The size of a part to aim at, in bytes, and in documents: more would stop the event loop for longer. */
const PART_BYTES = 4 * 1024 * 1024;
const MAX_PART = 1500;
/** The most bytes of a part; what is larger is read again in smaller parts. */
const MAX_PART_BYTES = 6 * 1024 * 1024;
/** The documents of the first part, whose size is unknown. */
const FIRST_PART = 100;

/** Reads a whole list in parts, so that it is never in memory all at once. */
export function readInParts<Element>(list: List<Element, never>): AsyncGenerator<Element[]> {
  return list.reader.readParts(partsOf(queryOf(list, {})));
}

/** Each part has as many documents as fit into the bytes of a part, judged by the part before. */
async function* partsOf(query: Query): AsyncGenerator<readonly StoredDocument[]> {
  let next: Promise<Part> | undefined = findPart(query, FIRST_PART);
  while (next !== undefined) {
    const { documents, bytes, asked }: Part = await next;
    const last: StoredDocument | undefined =
      documents.length === asked ? documents.at(-1) : undefined;
    const fitting = Math.floor((PART_BYTES * documents.length) / bytes);
    // The next part loads while the caller processes this one.
    next = last && findPart(query, Math.min(MAX_PART, Math.max(1, fitting)), last);
    // A failure is thrown when the part is awaited; until then it must not count as unhandled.
    next?.catch(() => undefined);
    // Lets the request for the next part leave, and other requests run, before this part is processed.
    await setImmediate();
    yield documents;
  }
}

/** A part of a list. It ends the list if it has fewer documents than were asked for. */
interface Part extends Found {
  readonly asked: number;
}

/** Reads up to `asked` documents, or a quarter of them if they are too large. */
async function findPart(query: Query, asked: number, after?: Position): Promise<Part> {
  if (asked === 1) return { ...(await findLarge(query, after)), asked };
  try {
    return { ...(await find(query, asked, after, MAX_PART_BYTES)), asked };
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    return findPart(query, quarterOf(asked), after);
  }
}
