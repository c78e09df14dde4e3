/** Filters of queries (https://firebase.google.com/docs/firestore/reference/rest/v1/StructuredQuery#Filter). */
import { pathOf, valueAt } from './fields.ts';
import type { StoredDocument } from './database.ts';
import { elements, invalid, members, oneOf } from './refusal.ts';
import { compareKeys, keyOf, storedValue, valuesOf, type Key, type Value } from './values.ts';

export const NAME = '__name__';

const OPERATORS = {
  LESS_THAN: 1,
  LESS_THAN_OR_EQUAL: 2,
  GREATER_THAN: 3,
  GREATER_THAN_OR_EQUAL: 4,
  EQUAL: 5,
  NOT_EQUAL: 6,
  ARRAY_CONTAINS: 7,
  IN: 8,
  ARRAY_CONTAINS_ANY: 9,
  NOT_IN: 10,
};
const UNARY_OPERATORS = { IS_NAN: 2, IS_NULL: 3, IS_NOT_NAN: 4, IS_NOT_NULL: 5 };
const COMPOSITE_OPERATORS = { AND: 1, OR: 2 };

const MOST_ALTERNATIVES = 30;

type Operator = keyof typeof OPERATORS | keyof typeof UNARY_OPERATORS;

/** A condition on one field. */
export interface FieldFilter {
  readonly field: string;
  readonly op: Operator;
  readonly operand: Key;
}

/** The ways to fit a filter: in each, all of its conditions are met. */
export type Alternatives = readonly (readonly FieldFilter[])[];

/** The operators that take a list, with the most elements that it may have. */
const MOST_ELEMENTS: Readonly<Partial<Record<Operator, number>>> = {
  IN: 30,
  ARRAY_CONTAINS_ANY: 30,
  NOT_IN: 10,
};

/** The operators by whose fields Firestore also orders the results. */
const INEQUALITIES: ReadonlySet<Operator> = new Set([
  ...(['LESS_THAN', 'LESS_THAN_OR_EQUAL', 'GREATER_THAN', 'GREATER_THAN_OR_EQUAL'] as const),
  ...(['NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', 'IS_NOT_NULL'] as const),
]);

const NULL = keyOf({ nullValue: null });
const NAN = keyOf({ doubleValue: 'NaN' });
const [LIST] = keyOf({ arrayValue: {} }) as [number];

const isSame = (a: Key, b: Key) => compareKeys(a, b) === 0;
const isNull = (key: Key) => isSame(key, NULL);
const isNaN = (key: Key) => isSame(key, NAN);
/** Null and NaN equal nothing. */
const equals = (stored: Key, operand: Key) =>
  isSame(stored, operand) && !isNull(operand) && !isNaN(operand);
const elementsOf = (key: Key) => {
  const [kind, keys] = key as [number, readonly Key[]];
  return kind === LIST ? keys : [];
};
/** Compares values of the same kind only; there is none before or after null and NaN. */
const compares = (test: (order: number) => boolean) => (stored: Key, operand: Key) => {
  const [[kind], [other]] = [stored as [number], operand as [number]];
  if (kind !== other || isNull(operand) || isNaN(operand) !== isNaN(stored)) return false;
  return test(compareKeys(stored, operand));
};

const TESTS: Readonly<Record<Operator, (stored: Key, operand: Key) => boolean>> = {
  LESS_THAN: compares((order) => order < 0),
  LESS_THAN_OR_EQUAL: compares((order) => order <= 0),
  GREATER_THAN: compares((order) => order > 0),
  GREATER_THAN_OR_EQUAL: compares((order) => order >= 0),
  EQUAL: equals,
  NOT_EQUAL: (stored, operand) => !isNull(stored) && !isSame(stored, operand),
  ARRAY_CONTAINS: (stored, operand) => elementsOf(stored).some((each) => equals(each, operand)),
  IN: (stored, operand) => elementsOf(operand).some((each) => equals(stored, each)),
  ARRAY_CONTAINS_ANY: (stored, operand) =>
    elementsOf(stored).some((each) => elementsOf(operand).some((other) => equals(each, other))),
  NOT_IN: (stored, operand) =>
    !isNull(stored) && !elementsOf(operand).some((each) => isNull(each) || isSame(stored, each)),
  IS_NAN: isNaN,
  IS_NULL: isNull,
  IS_NOT_NAN: (stored) => !isNull(stored) && !isNaN(stored),
  IS_NOT_NULL: (stored) => !isNull(stored),
};

/** Checks a filter; throws if the service refuses it, or if it is not supported here. */
export function parseFilter(json: unknown): Alternatives {
  const sent = members(json, 'compositeFilter', 'fieldFilter', 'unaryFilter');
  if (sent.compositeFilter !== undefined) {
    const { op, filters } = members(sent.compositeFilter, 'op', 'filters');
    const parts = elements(filters).map(parseFilter);
    if (parts.length === 0) throw invalid('A composite filter has at least one filter.');
    return oneOf(COMPOSITE_OPERATORS, op) === 'OR' ? parts.flat() : parts.reduce(combined);
  }
  if (sent.unaryFilter !== undefined) {
    const { op, field } = members(sent.unaryFilter, 'op', 'field');
    return [[{ field: fieldOf(field), op: oneOf(UNARY_OPERATORS, op), operand: NULL }]];
  }
  const { field: sentField, op: sentOp, value } = members(sent.fieldFilter, 'field', 'op', 'value');
  const field = fieldOf(sentField);
  const op = oneOf(OPERATORS, sentOp);
  const most = MOST_ELEMENTS[op];
  if (most === undefined) return [[{ field, op, operand: keyFor(field, storedValue(value)) }]];
  const values = valuesOf(storedValue(value));
  if (values.length === 0 || values.length > most) {
    throw invalid(`${op} takes a list of 1 to ${most} values.`);
  }
  return [[{ field, op, operand: [LIST, values.map((each) => keyFor(field, each))] }]];
}

/** The alternatives of two filters that must both match: each of the one with each of the other. */
function combined(ways: Alternatives, others: Alternatives): Alternatives {
  if (ways.length * others.length > MOST_ALTERNATIVES) {
    throw invalid(`A filter has at most ${MOST_ALTERNATIVES} alternatives.`);
  }
  return ways.flatMap((way) => others.map((other) => [...way, ...other]));
}

/** The path in a reference to a field. */
export function fieldOf(json: unknown): string {
  const { fieldPath } = members(json, 'fieldPath');
  pathOf(fieldPath);
  return String(fieldPath);
}

/** The key of a value with which a field is compared. */
export function keyFor(field: string | undefined, value: Value): Key {
  if (field === undefined) throw invalid('A cursor has too many values.');
  if (field === NAME && value.referenceValue === undefined) {
    throw invalid('__name__ is compared with references only.');
  }
  return keyOf(value);
}

/** Reads the key of a field of a document; undefined if it has none. */
export function keyReader(field: string): (document: StoredDocument) => Key | undefined {
  const path = pathOf(field);
  return ({ name, fields = {} }) => {
    const value = field === NAME ? { referenceValue: name } : valueAt(fields, path);
    return value && keyOf(value);
  };
}

/** Whether a document meets a condition. */
export function matcherOf({ field, op, operand }: FieldFilter) {
  const read = keyReader(field);
  return (document: StoredDocument): boolean => {
    const stored = read(document);
    return stored !== undefined && TESTS[op](stored, operand);
  };
}

export function isInequality({ op }: FieldFilter): boolean {
  return INEQUALITIES.has(op);
}
