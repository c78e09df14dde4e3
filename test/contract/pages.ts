/** Lists and their pages. What leaves of a document are the fields that its collection declares, and no others. */
import { isId } from './accepted.ts';
import { listed, paging } from './arbitraries.ts';
import {
  demand,
  ok,
  valid,
  type Call,
  type Documents,
  type Entry,
  type Moment,
  type Scene,
  type Stored,
} from './rules.ts';
import fc from 'fast-check';
import { isMap, leaving, schemaOf, sortKey, type DocumentData } from './values.ts';

export interface List {
  /** `flash`, or `conversations/~c0/messages` */
  readonly collection: string;
  /** The fields that say whose list it is. Each document of its owner can be a cursor. */
  readonly of?: DocumentData;
  /** What else its elements have, by path: `artistInfo.isVerified`. */
  readonly where?: DocumentData;
  /** The field that orders the list; equal ones by id. A document without it is not in the list. */
  readonly orderBy?: string;
  readonly isDescending?: boolean;
  /** Whether a page says how many elements the list has in all. */
  readonly hasTotal?: true;
  /** Declared fields that do not leave. */
  readonly without?: readonly string[];
}

interface Element {
  readonly path: string;
  readonly id: string;
  readonly data: DocumentData;
  /** Where it stands: the kind of the value that orders it, the value, and the id. */
  readonly place: readonly [number, number | string, string];
}

/** All elements of a list, as they leave. */
export function shownAll(list: List, documents: Documents): DocumentData[] {
  return elementsOf(list, documents).map((element) => shown(list, element));
}

function elementsOf(list: List, documents: Documents): Element[] {
  const { collection, of, where, orderBy } = list;
  const conditions = Object.entries({ ...of, ...where });
  return Object.entries(documents)
    .filter(([path]) => path.replace(/\/[^/]*$/, '') === collection)
    .filter(([, data]) => orderBy === undefined || orderBy in data)
    .filter(([, data]) => conditions.every(([path, value]) => valueAt(data, path) === value))
    .map(([path, data]): Element => {
      const id = path.slice(collection.length + 1);
      return { path, id, data, place: [...sortKey(data[orderBy ?? '']), id] };
    })
    .sort((one, other) => (isBefore(list, one, other) ? -1 : 1));
}

function valueAt(data: DocumentData, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (isMap(value) ? value[name] : undefined), data);
}

function isBefore({ isDescending = false }: List, one: Element, other: Element): boolean {
  const index = one.place.findIndex((part, at) => part !== other.place[at]);
  return index >= 0 && (one.place[index] ?? 0) < (other.place[index] ?? 0) !== isDescending;
}

/** A page: the first elements after the cursor's, which may have been hidden since, and whether more follow. */
export function pageOf(list: List, { limit, cursor }: Page, moment: Moment) {
  const { documents, earlier = documents, counted = documents } = moment;
  const { meanwhile = [], quarters = 0 } = moment;
  const start = elementsOf({ ...list, where: {} }, earlier).find(({ id }) => id === cursor);
  demand(cursor === undefined || start !== undefined, 'cursor-not-found');
  const after = (stored: Documents) =>
    elementsOf(list, stored).filter((each) => !start || isBefore(list, start, each));
  // "Page sizes".
  const isLarge = (count: number) =>
    meanwhile.some((stored) => {
      const read = after(stored).slice(0, count);
      return JSON.stringify(read.map((each) => shown(list, each))).length > 2 ** 19;
    });
  // With the document that decides `hasMore`.
  let count = limit + 1;
  for (let left = quarters; left > 0 && isLarge(count); left -= 1) {
    count = Math.max(2, Math.ceil(count / 4));
  }
  const size = count - 1;
  const all = after(documents);
  const elements = all.slice(0, size);
  const hasMore = all.length > size;
  return {
    elements: elements.map((each) => shown(list, each)),
    // "`total`".
    ...(list.hasTotal && { total: Math.max(elementsOf(list, counted).length, elements.length) }),
    hasMore,
    ...(hasMore && { nextCursor: elements.at(-1)?.id }),
  };
}

/** What leaves of a document. The `id` is always its own. */
function shown({ without = [] }: List, { path, id, data }: Element): DocumentData {
  const left = Object.entries(leaving(data, schemaOf(path)) as DocumentData);
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

interface ListOfOwner extends Omit<List, 'of'>, Pick<Entry, 'isPublic' | 'stored'> {
  /** The field with the owner. */
  readonly owner: string;
  /** The parameter of the path that names the owner. */
  readonly parameter: string;
  /** The field of the response that has the elements. */
  readonly elements: string;
  /** The largest limit, and the one when it is left out. */
  readonly limits: readonly [most: number, usual: number];
  /** Other documents, for histories of their own. */
  readonly apart?: readonly Stored[];
}

/** The entry of a list in pages: what an owner has in a collection. */
export function listOfOwner(options: ListOfOwner): Entry {
  const {
    owner,
    parameter,
    elements: name,
    limits,
    isPublic,
    stored,
    apart = [],
    ...list
  } = options;
  const scene = (documents: Stored): Scene => ({
    stored: documents,
    send: fc.record({ params: fc.record({ [parameter]: listed }), query: paging(documents) }),
  });
  return {
    ...(isPublic && { isPublic }),
    isRead: true,
    answer(request) {
      const page = requestedPage(request, ...limits);
      const id = request.params?.[parameter];
      valid(isId(id));
      const { elements, ...rest } = pageOf({ ...list, of: { [owner]: id } }, page, request);
      return ok({ [name]: elements, ...rest }, request.documents);
    },
    ...scene(stored),
    apart: apart.map(scene),
  };
}
