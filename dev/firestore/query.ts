/** Queries (https://firebase.google.com/docs/firestore/reference/rest/v1/StructuredQuery). */
import { masked, requireId, type Database, type StoredDocument } from './database.ts';
import { pathOf, valueAt, type Path } from './fields.ts';
import { elements, invalid, members, Refusal, unimplemented } from './refusal.ts';
import { compareKeys, keyOf, storedValue, type Key, type Value } from './values.ts';

const NAME = '__name__';

/** The supported operators and directions with their numbers: Google's libraries send either. */
const OPERATORS = { EQUAL: 5 };
const COMPOSITE_OPERATORS = { AND: 1 };
const DIRECTIONS = { ASCENDING: 1, DESCENDING: 2 };

/** The field has an equal value. */
interface Filter {
  readonly field: string;
  readonly op: keyof typeof OPERATORS;
  readonly key: Key;
}

interface Order {
  readonly field: string;
  readonly direction: keyof typeof DIRECTIONS;
}

/** A query that has been checked. */
export interface Query {
  /** Undefined for all collections. */
  readonly collection: string | undefined;
  readonly allDescendants: boolean;
  readonly filters: readonly Filter[];
  readonly orderBy: readonly Order[];
  readonly select: readonly string[] | undefined;
  /** The keys by which the result is ordered, of the document after which it starts. */
  readonly after: readonly Key[] | undefined;
  readonly limit: number | undefined;
}

/** Checks a query; throws if the service refuses it, or if it is not supported here. */
export function parseQuery(json: unknown): Query {
  const sent = members(json, 'select', 'from', 'where', 'orderBy', 'startAt', 'limit');
  const [from = {}, ...others] = elements(sent.from);
  if (others.length > 0) throw invalid('A query has one collection.');
  const { collectionId, allDescendants } = members(from, 'collectionId', 'allDescendants');
  if (collectionId === undefined && allDescendants !== true) {
    throw unimplemented('queries without collectionId');
  }
  const orderBy = elements(sent.orderBy).map(orderOf);
  const names = orderBy.map(({ field }) => field);
  if (names.slice(0, -1).includes(NAME) || new Set(names).size < names.length) {
    throw invalid('Each field is ordered by once, and the name is the last one.');
  }
  const { values, before } = members(sent.startAt ?? {}, 'values', 'before');
  if (before === true) throw unimplemented('startAt with its own document');
  const keys = elements(values).map((value, index) => keyFor(names[index], storedValue(value)));
  if (!/^(undefined|\d{1,9})$/.test(String(sent.limit))) throw invalid('Invalid limit.');
  const { fields } = members(sent.select ?? {}, 'fields');
  return {
    collection: collectionId === undefined ? undefined : requireId(collectionId),
    allDescendants: allDescendants === true,
    filters: sent.where === undefined ? [] : filtersOf(sent.where),
    orderBy,
    select: sent.select === undefined ? undefined : elements(fields).map(fieldOf),
    after: sent.startAt === undefined ? undefined : keys,
    limit: sent.limit === undefined ? undefined : Number(sent.limit),
  };
}

function fieldOf(json: unknown): string {
  const { fieldPath } = members(json, 'fieldPath');
  pathOf(fieldPath);
  return String(fieldPath);
}

function filtersOf(json: unknown): Filter[] {
  const { compositeFilter, fieldFilter } = members(json, 'compositeFilter', 'fieldFilter');
  if (compositeFilter !== undefined) {
    const { op, filters } = members(compositeFilter, 'op', 'filters');
    oneOf(COMPOSITE_OPERATORS, op);
    const all = elements(filters).flatMap(filtersOf);
    if (all.length === 0) throw invalid('A composite filter has at least one filter.');
    return all;
  }
  const sent = members(fieldFilter, 'field', 'op', 'value');
  const field = fieldOf(sent.field);
  const op = oneOf(OPERATORS, sent.op);
  const value = storedValue(sent.value);
  // Null and NaN equal nothing: no value has this key.
  const key = keyFor(field, value);
  const isNothing = 'nullValue' in value || value.doubleValue === 'NaN';
  return [{ field, op, key: isNothing ? [-1] : key }];
}

function orderOf(json: unknown): Order {
  const { field, direction = 'ASCENDING' } = members(json, 'field', 'direction');
  return { field: fieldOf(field), direction: oneOf(DIRECTIONS, direction) };
}

function oneOf<Name extends string>(names: Readonly<Record<Name, number>>, sent: unknown): Name {
  if (sent === undefined) throw invalid('An operator is missing.');
  const name = (Object.keys(names) as Name[]).find((each) => each === sent || names[each] === sent);
  if (name === undefined) throw unimplemented(`the operator ${JSON.stringify(sent)}`);
  return name;
}

/** The key of a value with which a field is compared. */
function keyFor(field: string | undefined, value: Value): Key {
  if (field === undefined) throw invalid('startAt has too many values.');
  if (field === NAME && value.referenceValue === undefined) {
    throw invalid('__name__ is compared with references only.');
  }
  return keyOf(value);
}

/** Reads the key of a field of a document; undefined if it has none. */
function reader(field: string): (document: StoredDocument) => Key | undefined {
  const path = pathOf(field);
  return ({ name, fields = {} }) => {
    const value = field === NAME ? { referenceValue: name } : valueAt(fields, path);
    return value && keyOf(value);
  };
}

/** The documents that a query finds below a parent (its ids; none for the root), in order. */
export function runQuery(database: Database, parent: Path, query: Query): StoredDocument[] {
  const { collection = '', allDescendants, orderBy, select, after, limit } = query;
  const { field: last, direction = 'ASCENDING' } = orderBy.at(-1) ?? {};
  const orders = last === NAME ? orderBy : [...orderBy, { field: NAME, direction }];
  const isScan = orders.length === 1 && query.filters.length === 0;
  if (allDescendants && parent.length > 0)
    throw unimplemented('collection groups below a document');
  if (collection === '' && !isScan) throw invalid('All collections are queried by name only.');
  if (isScan && direction === 'DESCENDING') {
    throw new Refusal('FAILED_PRECONDITION', 'Firestore does not support descending key scans.');
  }
  const filters = query.filters.map(({ field, key }) => ({ read: reader(field), key }));
  const readers = orders.map(({ field }) => reader(field));

  /** Compares the keys of a document with those of another, or with fewer. */
  const compare = (keys: readonly Key[], others: readonly Key[]) => {
    for (const [index, other] of others.entries()) {
      const order = compareKeys(keys[index] ?? 0, other);
      if (order !== 0) return orders[index]?.direction === 'DESCENDING' ? -order : order;
    }
    return 0;
  };

  const list = database.list(allDescendants ? `/${collection}` : [...parent, collection].join('/'));
  const found = [...list.values()].flatMap((document) => {
    const isFound = filters.every(({ read, key }) => {
      const value = read(document);
      return value !== undefined && compareKeys(value, key) === 0;
    });
    const keys = readers.map((read) => read(document)).filter((key) => key !== undefined);
    // A document without a field by which a list is ordered is not in it.
    if (!isFound || keys.length < orders.length) return [];
    return after === undefined || compare(keys, after) > 0 ? [{ document, keys }] : [];
  });
  found.sort((a, b) => compare(a.keys, b.keys));
  const mask = select?.map(pathOf).filter(({ length }) => length > 0);
  return found.slice(0, limit).map(({ document }) => masked(document, mask));
}
