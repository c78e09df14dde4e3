/** Queries (https://firebase.google.com/docs/firestore/reference/rest/v1/StructuredQuery). */
import { masked, requireId, type Database, type DocumentResource } from './memoryDatabase.ts';
import { maskOf, type Path } from './fields.ts';
import {
  fieldOf,
  isInequality,
  keyFor,
  keyReader,
  matcherOf,
  NAME,
  parseFilter,
  type FieldFilter,
} from './filters.ts';
import { elements, invalid, members, oneOf, Refusal, unimplemented } from './refusal.ts';
import { compareKeys, storedValue, type Key } from './values.ts';

const DIRECTIONS = { ASCENDING: 1, DESCENDING: -1 };

interface Order {
  readonly field: string;
  readonly direction: keyof typeof DIRECTIONS;
}

/** A place in a result, by the first keys of its order. */
interface Cursor {
  readonly keys: readonly Key[];
  /** Whether it is before the documents with these keys, instead of after them. */
  readonly before: boolean;
}

/** A query that has been checked. */
export type Query = ReturnType<typeof parseQuery>;

/** Checks a query; throws if the service refuses it, or if it is not supported here. */
export function parseQuery(json: unknown) {
  const sent = members(
    json,
    ...(['select', 'from', 'where', 'orderBy', 'startAt', 'limit'] as const),
  );
  const [from = {}, ...others] = elements(sent.from);
  if (others.length > 0) throw invalid('A query has one collection.');
  const { collectionId, allDescendants } = members(from, 'collectionId', 'allDescendants');
  if (collectionId === undefined && allDescendants !== true) {
    throw unimplemented('queries without collectionId');
  }
  const orderBy = elements(sent.orderBy).map(orderOf);
  const names = orderBy.map(({ field }) => field);
  const filters = sent.where === undefined ? [] : parseFilter(sent.where);
  const orders = wholeOrder(orderBy, filters);
  if (filters.length === 0 && orders[0]?.field === NAME && orders[0].direction === 'DESCENDING') {
    throw new Refusal('FAILED_PRECONDITION', 'Firestore does not support descending key scans.');
  }
  const selected = elements(members(sent.select ?? {}, 'fields').fields).map(fieldOf);
  return {
    /** Undefined for all collections. */
    collection: collectionId === undefined ? undefined : requireId(collectionId),
    allDescendants: allDescendants === true,
    filters,
    /** The whole order, up to the name. */
    orders,
    /** Undefined for all fields: an empty selection, too. `__name__` alone selects none. */
    mask: selected.length > 0 ? maskOf({ fieldPaths: selected }) : undefined,
    start: cursorOf(sent.startAt, names),
    limit: wholeNumber(sent.limit),
  };
}

function orderOf(json: unknown): Order {
  const { field, direction = 'ASCENDING' } = members(json, 'field', 'direction');
  return { field: fieldOf(field), direction: oneOf(DIRECTIONS, direction) };
}

/**
 * Completes the sort order like Firestore: the requested fields, then the other inequality fields,
 * then `__name__`.
 */
function wholeOrder(orderBy: readonly Order[], filters: readonly FieldFilter[]): Order[] {
  const { direction = 'ASCENDING' } = orderBy.at(-1) ?? {};
  const compared = new Set(filters.filter(isInequality).map(({ field }) => field));
  const added = [...[...compared].filter((field) => field !== NAME).sort(), NAME]
    .filter((field) => !orderBy.some((order) => order.field === field))
    .map((field) => ({ field, direction }));
  return [...orderBy, ...added];
}

function cursorOf(json: unknown, names: readonly string[]): Cursor | undefined {
  if (json === undefined) return undefined;
  const { values, before } = members(json, 'values', 'before');
  const keys = elements(values).map((value, index) => keyFor(names[index], storedValue(value)));
  return { keys, before: before === true };
}

/** A number of 0 or more. */
function wholeNumber(sent: unknown): number | undefined {
  if (sent === undefined || (Number.isSafeInteger(sent) && Number(sent) >= 0)) {
    return sent as number | undefined;
  }
  throw invalid('Expected a number of 0 or more.');
}

/** The documents that a query finds below a parent (its ids; none for the root), in order. */
export function runQuery(database: Database, parent: Path, query: Query): DocumentResource[] {
  const { collection, allDescendants, filters, orders, start } = query;
  const from = [database.root, ...parent, ...(allDescendants ? [] : [collection])].join('/') + '/';
  const isBelow = ({ name }: DocumentResource) =>
    name.startsWith(from) && (allDescendants || name.lastIndexOf('/') < from.length);
  const tests = filters.map(matcherOf);
  const readers = orders.map(({ field }) => keyReader(field));

  /** Compares the keys of a document with those of another, or with fewer. */
  const compare = (keys: readonly Key[], others: readonly Key[]) => {
    for (const [index, other] of others.entries()) {
      const order = compareKeys(keys[index] ?? 0, other);
      if (order !== 0) return order * DIRECTIONS[orders[index]?.direction ?? 'ASCENDING'];
    }
    return 0;
  };
  const isAfter = (keys: readonly Key[], cursor: Cursor) => {
    const order = compare(keys, cursor.keys);
    return cursor.before ? order >= 0 : order > 0;
  };

  const found = database.list(collection).flatMap((document) => {
    if (!isBelow(document) || !tests.every((test) => test(document))) return [];
    const keys = readers.map((read) => read(document)).filter((key) => key !== undefined);
    // A document without a field by which a list is ordered is not in it.
    if (keys.length < orders.length) return [];
    if (start && !isAfter(keys, start)) return [];
    return [{ document, keys }];
  });
  found.sort((a, b) => compare(a.keys, b.keys));
  return found.slice(0, query.limit).map(({ document }) => masked(document, query.mask));
}
