/** Lists and their pages. What leaves of a document are the fields that its collection declares, and no others. */
import { toFields } from '../../functions/declared/store.ts';
import { isId } from './accepted.ts';
import { demand, valid, type Call, type Documents, type Moment } from './rules.ts';
import { leaving, picked, schemaOf, sortKey, type Data } from './values.ts';

export interface List {
  /** `flash`, or `conversations/~c0/messages` */
  readonly collection: string;
  readonly has: (data: Data) => boolean;
  /** Whether a document can be a cursor, if others than elements can. */
  readonly isOf?: (data: Data) => boolean;
  /** The field that orders the list; equal ones by id. A document without it is not in the list. */
  readonly orderBy?: string;
  readonly isDescending?: boolean;
  /** Declared fields that do not leave. */
  readonly without?: readonly string[];
}

interface Element {
  readonly id: string;
  readonly data: Data;
  /** Where it stands: the kind of the value that orders it, the value, and the id. */
  readonly place: readonly [number, number | string, string];
}

/** All elements of a list, as they leave. */
export function shownAll(list: List, documents: Documents): Data[] {
  return elementsOf(list, documents).map((element) => shown(list, element));
}

function elementsOf(list: List, documents: Documents): Element[] {
  const { collection, has, orderBy } = list;
  return Object.entries(documents)
    .filter(([path]) => path.replace(/\/[^/]*$/, '') === collection)
    .filter(([, data]) => has(data) && (orderBy === undefined || orderBy in data))
    .map(([path, data]): Element => {
      const id = path.slice(collection.length + 1);
      return { id, data, place: [...sortKey(data[orderBy ?? '']), id] };
    })
    .sort((one, other) => (isBefore(list, one, other) ? -1 : 1));
}

function isBefore({ isDescending = false }: List, one: Element, other: Element): boolean {
  const index = one.place.findIndex((part, at) => part !== other.place[at]);
  return index >= 0 && (one.place[index] ?? 0) < (other.place[index] ?? 0) !== isDescending;
}

/** A page: the first elements after the cursor's, which may have been hidden since, and whether more follow. */
export function pageOf(list: List, page: Page, moment: Moment) {
  const { elements, hasMore } = readPage(list, page, moment);
  return { elements: elements.map((each) => shown(list, each)), ...end(elements, hasMore) };
}

/** A page, and how many elements the list has in all. */
export function countedPageOf(list: List, page: Page, moment: Moment) {
  const { elements, hasMore } = readPage(list, page, moment);
  const count = elementsOf(list, moment.counted ?? moment.documents).length;
  // "`total`".
  const total = Math.max(count, elements.length);
  return { elements: elements.map((each) => shown(list, each)), total, ...end(elements, hasMore) };
}

function readPage(list: List, { limit, cursor }: Page, moment: Moment) {
  const { documents, earlier = documents, meanwhile = [], quarters = 0 } = moment;
  const { isOf = list.has } = list;
  const start = elementsOf({ ...list, has: isOf }, earlier).find(({ id }) => id === cursor);
  demand(cursor === undefined || start !== undefined, 'cursor-not-found');
  const after = (stored: Documents) =>
    elementsOf(list, stored).filter((each) => !start || isBefore(list, start, each));
  // "Page sizes".
  const isLarge = (size: number) =>
    meanwhile.some((stored) => bytesOf(list, after(stored).slice(0, size + 1)) > 2 ** 19);
  let size = limit;
  for (let left = quarters; left > 0 && isLarge(size); left -= 1) size = Math.ceil(size / 4);
  const elements = after(documents);
  return { elements: elements.slice(0, size), hasMore: elements.length > size };
}

/** The size of what is read of these elements, in Firestore's JSON. */
function bytesOf({ collection }: List, elements: readonly Element[]): number {
  const read = elements.map(({ data }) => toFields(picked(data, schemaOf(collection)) as Data));
  return Buffer.byteLength(JSON.stringify(read));
}

/** The end of a page. `nextCursor` is the id of its last element. */
function end(elements: readonly Element[], hasMore: boolean) {
  return { hasMore, ...(hasMore && { nextCursor: elements.at(-1)?.id }) };
}

/** What leaves of a document. The `id` is always its own. */
function shown({ collection, without = [] }: List, { id, data }: Element): Data {
  const left = Object.entries(leaving(data, schemaOf(collection)) as Data);
  return { ...Object.fromEntries(left.filter(([name]) => !without.includes(name))), id };
}

export interface Page {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** The limits of a page: 1 to 50 for listings and photos, 20 by default; 1 to 100 for messages, 50 by default. */
export function requestedPage({ query = {} }: Call, most: number, usual: number): Page {
  const { limit = String(usual), cursor } = query;
  valid(typeof limit === 'string' && /^\d+$/.test(limit));
  valid(Number(limit) >= 1 && Number(limit) <= most);
  valid(cursor === undefined || isId(cursor));
  return { limit: Number(limit), cursor };
}
