/** Queries (https://firebase.google.com/docs/firestore/reference/rest/v1/StructuredQuery). */
import { applyMask, type Database, type DocumentResource } from './database.ts';
import { parseFieldMask, type FieldPath } from './fieldPaths.ts';
import {
  parseFieldReference,
  isInequality,
  createOperandKey,
  createKeyReader,
  createMatcher,
  NAME,
  parseFilter,
  type FieldFilter,
} from './filters.ts';
import { ApiError, invalidArgumentError, unimplementedError } from './apiError.ts';
import { parseArray, parseBoolean, parseEnum, parseObject } from './parseJson.ts';
import { normalizeValue, parseId } from './normalize.ts';
import { compareKeys, type SortKey } from './sortOrder.ts';

const DIRECTIONS = { ASCENDING: 1, DESCENDING: -1 };

interface Order {
  readonly field: string;
  readonly direction: keyof typeof DIRECTIONS;
}

/** A position in a result, by the keys of its first sort fields. */
interface Cursor {
  readonly keys: readonly SortKey[];
  /** The position is before the documents with these keys, not after them. */
  readonly before: boolean;
}

/** A parsed query. */
export type ParsedQuery = ReturnType<typeof parseQuery>;

/** Parses a query. Throws if Firestore rejects it, or if it is not supported here. */
export function parseQuery(json: unknown) {
  const query = parseObject(
    json,
    'select',
    'from',
    'where',
    'orderBy',
    'startAt',
    'endAt',
    'limit',
  );
  const [from = {}, ...otherCollections] = parseArray(query.from);
  if (otherCollections.length > 0) throw invalidArgumentError('A query has one collection.');
  const { collectionId, ...scope } = parseObject(from, 'collectionId', 'allDescendants');
  const allDescendants = parseBoolean(scope.allDescendants) ?? false;
  if (collectionId === undefined && !allDescendants) {
    throw unimplementedError('queries without collectionId');
  }
  const orderBy = parseArray(query.orderBy).map(parseOrder);
  const names = orderBy.map(({ field }) => field);
  if (new Set(names).size < names.length) {
    throw invalidArgumentError('A query sorts by each field once.');
  }
  const filters = query.where === undefined ? [] : parseFilter(query.where);
  const orders = completeOrder(orderBy, filters);
  if (filters.length === 0 && orders[0]?.field === NAME && orders[0].direction === 'DESCENDING') {
    throw new ApiError('FAILED_PRECONDITION', 'Firestore does not support descending key scans.');
  }
  const selectedFields = parseArray(parseObject(query.select ?? {}, 'fields').fields).map(
    parseFieldReference,
  );
  return {
    /** `undefined` means all collections. */
    collection: collectionId === undefined ? undefined : parseId(collectionId),
    allDescendants,
    filters,
    /** The complete order, which ends with `__name__`. */
    orders,
    /** `undefined` means all fields, as does an empty selection. `__name__` alone selects none. */
    mask: selectedFields.length > 0 ? parseFieldMask({ fieldPaths: selectedFields }) : undefined,
    start: parseCursor(query.startAt, names),
    end: parseCursor(query.endAt, names),
    limit: parseNonNegativeInteger(query.limit),
  };
}

function parseOrder(json: unknown): Order {
  const { field, direction = 'ASCENDING' } = parseObject(json, 'field', 'direction');
  return { field: parseFieldReference(field), direction: parseEnum(DIRECTIONS, {}, direction) };
}

/**
 * Completes the sort order like Firestore: the requested fields, then the other inequality fields,
 * then `__name__`.
 */
function completeOrder(orderBy: readonly Order[], filters: readonly FieldFilter[]): Order[] {
  const { direction = 'ASCENDING' } = orderBy.at(-1) ?? {};
  const inequalityFields = new Set(filters.filter(isInequality).map(({ field }) => field));
  const addedOrders = [...[...inequalityFields].filter((field) => field !== NAME).sort(), NAME]
    .filter((field) => !orderBy.some((order) => order.field === field))
    .map((field) => ({ field, direction }));
  return [...orderBy, ...addedOrders];
}

function parseCursor(json: unknown, names: readonly string[]): Cursor | undefined {
  if (json === undefined) return undefined;
  const { values, before } = parseObject(json, 'values', 'before');
  const keys = parseArray(values).map((value, index) =>
    createOperandKey(names[index], normalizeValue(value)),
  );
  return { keys, before: parseBoolean(before) ?? false };
}

function parseNonNegativeInteger(json: unknown): number | undefined {
  if (
    json === undefined ||
    (Number.isInteger(json) && Number(json) >= 0 && Number(json) < 2 ** 31)
  ) {
    return json as number | undefined;
  }
  throw invalidArgumentError('Expected a 32-bit integer of 0 or more.');
}

/** Runs a query below a document; `parent` has the ids of its path, none for the root. */
export function runQuery(
  database: Database,
  parent: FieldPath,
  query: ParsedQuery,
): DocumentResource[] {
  const { collection, allDescendants, filters, orders, start, end } = query;
  const from = [database.root, ...parent, ...(allDescendants ? [] : [collection])].join('/') + '/';
  const isBelow = ({ name }: DocumentResource) =>
    name.startsWith(from) && (allDescendants || name.lastIndexOf('/') < from.length);
  const tests = filters.map(createMatcher);
  const readers = orders.map(({ field }) => createKeyReader(field));

  /** Compares the keys of a document with the keys of another document, or of a cursor, which may have fewer. */
  const compare = (keys: readonly SortKey[], otherKeys: readonly SortKey[]) => {
    for (const [index, otherKey] of otherKeys.entries()) {
      const order = compareKeys(keys[index] ?? 0, otherKey);
      if (order !== 0) return order * DIRECTIONS[orders[index]?.direction ?? 'ASCENDING'];
    }
    return 0;
  };
  const isAfter = (keys: readonly SortKey[], cursor: Cursor) => {
    const order = compare(keys, cursor.keys);
    return cursor.before ? order >= 0 : order > 0;
  };

  const matches = database.list(collection).flatMap((document) => {
    if (!isBelow(document) || !tests.every((test) => test(document))) return [];
    const keys = readers.map((readKey) => readKey(document)).filter((key) => key !== undefined);
    // A result has no documents that lack one of its sort fields.
    if (keys.length < orders.length) return [];
    if (start && !isAfter(keys, start)) return [];
    if (end && isAfter(keys, end)) return [];
    return [{ document, keys }];
  });
  matches.sort((a, b) => compare(a.keys, b.keys));
  return matches.slice(0, query.limit).map(({ document }) => applyMask(document, query.mask));
}
