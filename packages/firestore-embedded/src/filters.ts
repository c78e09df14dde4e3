/** Filters of queries (https://firebase.google.com/docs/firestore/reference/rest/v1/StructuredQuery#Filter). */
import { getArrayElements, type Value } from '@tattoo-marketplace/firestore-rest';
import type { DocumentResource } from './memoryDatabase.ts';
import { pathOf, valueAt } from './fields.ts';
import { elements, invalid, members, oneOf } from './refusal.ts';
import { compareKeys, keyOf, storedValue, type Key } from './values.ts';

export const NAME = '__name__';

const NULL = keyOf({ nullValue: null });
const NAN = keyOf({ doubleValue: 'NaN' });
const [LIST] = keyOf({ arrayValue: {} }) as [number];

type Test = (stored: Key, operand: Key) => boolean;

const isSame: Test = (a, b) => compareKeys(a, b) === 0;
const isNull = (key: Key) => isSame(key, NULL);
const isNaN = (key: Key) => isSame(key, NAN);
/** Null and NaN equal nothing. */
const equals: Test = (stored, operand) =>
  isSame(stored, operand) && !isNull(operand) && !isNaN(operand);
const listOf = (key: Key) => {
  const [kind, keys] = key as [number, readonly Key[]];
  return kind === LIST ? keys : [];
};
/** Compares values of the same kind only; NaN is neither before nor after a value. */
const compares =
  (test: (order: number) => boolean): Test =>
  (stored, operand) => {
    const [[kind], [other]] = [stored as [number], operand as [number]];
    return kind === other && !isNaN(stored) && test(compareKeys(stored, operand));
  };

/** The operators with an operand, in the order of their numbers in Google's enumeration. */
const OPERATORS = {
  LESS_THAN: compares((order) => order < 0),
  LESS_THAN_OR_EQUAL: compares((order) => order <= 0),
  GREATER_THAN: compares((order) => order > 0),
  GREATER_THAN_OR_EQUAL: compares((order) => order >= 0),
  EQUAL: equals,
  NOT_EQUAL: (stored, operand) => !isNull(stored) && !isSame(stored, operand),
  ARRAY_CONTAINS: (stored, operand) => listOf(stored).some((each) => equals(each, operand)),
  IN: (stored, operand) => listOf(operand).some((each) => equals(stored, each)),
} satisfies Readonly<Record<string, Test>>;

/** The operators without one, in the same order. */
const UNARY_OPERATORS = {
  IS_NAN: isNaN,
  IS_NULL: isNull,
} satisfies Readonly<Record<string, Test>>;

const TESTS: Readonly<Record<Operator, Test>> = { ...OPERATORS, ...UNARY_OPERATORS };
type Operator = keyof typeof OPERATORS | keyof typeof UNARY_OPERATORS;

/** How many values `IN` takes at most. */
const MOST_VALUES = 30;

/** A condition on one field. */
export interface FieldFilter {
  readonly field: string;
  readonly op: Operator;
  readonly operand: Key;
}

/**
 * Parses a filter into conditions that must all hold. Throws if Firestore rejects the filter, or if
 * it is not supported here.
 */
export function parseFilter(json: unknown): FieldFilter[] {
  const sent = members(json, 'compositeFilter', 'fieldFilter', 'unaryFilter');
  if (sent.compositeFilter !== undefined) {
    const { op, filters } = members(sent.compositeFilter, 'op', 'filters');
    oneOf({ AND: true }, op);
    return elements(filters).flatMap(parseFilter);
  }
  if (sent.unaryFilter !== undefined) {
    const { op, field } = members(sent.unaryFilter, 'op', 'field');
    return [{ field: fieldOf(field), op: oneOf(UNARY_OPERATORS, op, 2), operand: NULL }];
  }
  const { field: sentField, op: sentOp, value } = members(sent.fieldFilter, 'field', 'op', 'value');
  const field = fieldOf(sentField);
  const op = oneOf(OPERATORS, sentOp);
  if (op !== 'IN') return [{ field, op, operand: keyFor(field, storedValue(value)) }];
  const values = getArrayElements(storedValue(value));
  if (values.length === 0 || values.length > MOST_VALUES) {
    throw invalid(`IN takes a list of 1 to ${MOST_VALUES} values.`);
  }
  return [{ field, op, operand: [LIST, values.map((each) => keyFor(field, each))] }];
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
export function keyReader(field: string): (document: DocumentResource) => Key | undefined {
  const path = pathOf(field);
  return ({ name, fields = {} }) => {
    const value = field === NAME ? { referenceValue: name } : valueAt(fields, path);
    return value && keyOf(value);
  };
}

/** Whether a document meets a condition. */
export function matcherOf({ field, op, operand }: FieldFilter) {
  const read = keyReader(field);
  return (document: DocumentResource): boolean => {
    const stored = read(document);
    return stored !== undefined && TESTS[op](stored, operand);
  };
}

/** Whether Firestore also orders the results by the field of a condition. */
export function isInequality({ op }: FieldFilter): boolean {
  return /THAN|NOT/.test(op);
}
