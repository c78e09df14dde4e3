/** Filters of queries (https://firebase.google.com/docs/firestore/reference/rest/v1/StructuredQuery#Filter). */
import { getArrayElements, type Value } from '@tattoo-marketplace/firestore-rest';
import type { DocumentResource } from './database.ts';
import { parseFieldPath, getValue } from './fieldPaths.ts';
import { invalidArgumentError } from './apiError.ts';
import { parseArray, parseEnum, parseObject } from './parseJson.ts';
import { normalizeValue } from './normalize.ts';
import { compareKeys, createSortKey, type SortKey } from './sortOrder.ts';

export const NAME = '__name__';

const NULL = createSortKey({ nullValue: null });
const NAN = createSortKey({ doubleValue: 'NaN' });
const [ARRAY] = createSortKey({ arrayValue: {} }) as [number];

type Predicate = (key: SortKey, operand: SortKey) => boolean;

const isSameKey: Predicate = (a, b) => compareKeys(a, b) === 0;
const isNull = (key: SortKey) => isSameKey(key, NULL);
const isNaN = (key: SortKey) => isSameKey(key, NAN);
/** Returns whether a field equals a value. No field equals null or NaN. */
const isEqual: Predicate = (key, operand) =>
  isSameKey(key, operand) && !isNull(operand) && !isNaN(operand);
/** Returns the sort keys of the elements of an array; none for other types. */
const getElementKeys = (key: SortKey) => {
  const [type, keys] = key as [number, readonly SortKey[]];
  return type === ARRAY ? keys : [];
};
/** Creates a predicate that compares values of the same type. NaN is neither before nor after a value. */
const createComparison =
  (test: (order: number) => boolean): Predicate =>
  (key, operand) => {
    const [storedType] = key as [number];
    const [operandType] = operand as [number];
    return storedType === operandType && !isNaN(key) && test(compareKeys(key, operand));
  };

/** The operators with an operand, in the order of their numbers in Google's enumeration. */
const OPERATORS = {
  LESS_THAN: createComparison((order) => order < 0),
  LESS_THAN_OR_EQUAL: createComparison((order) => order <= 0),
  GREATER_THAN: createComparison((order) => order > 0),
  GREATER_THAN_OR_EQUAL: createComparison((order) => order >= 0),
  EQUAL: isEqual,
  NOT_EQUAL: (key, operand) => !isNull(key) && !isSameKey(key, operand),
  ARRAY_CONTAINS: (key, operand) =>
    getElementKeys(key).some((element) => isEqual(element, operand)),
  IN: (key, operand) => getElementKeys(operand).some((element) => isEqual(key, element)),
} satisfies Readonly<Record<string, Predicate>>;

/** The unsupported operators with an operand: the last ones of the enumeration. */
const UNSUPPORTED_OPERATORS = {
  ARRAY_CONTAINS_ANY: 'the filter array-contains-any',
  NOT_IN: 'the filter not-in',
};

/** The operators without an operand, in the order of their numbers. */
const UNARY_OPERATORS = {
  IS_NAN: isNaN,
  IS_NULL: isNull,
} satisfies Readonly<Record<string, Predicate>>;

const UNSUPPORTED_UNARY_OPERATORS = {
  IS_NOT_NAN: 'the filter != NaN',
  IS_NOT_NULL: 'the filter != null',
};

const PREDICATES: Readonly<Record<Operator, Predicate>> = { ...OPERATORS, ...UNARY_OPERATORS };
type Operator = keyof typeof OPERATORS | keyof typeof UNARY_OPERATORS;

/** The maximum number of values of `IN`. */
const MAX_IN_VALUES = 30;

/** A condition on one field. */
export interface FieldFilter {
  readonly field: string;
  readonly op: Operator;
  readonly operand: SortKey;
}

/**
 * Parses a filter into conditions that must all hold. Throws if Firestore rejects the filter, or if
 * it is not supported here.
 */
export function parseFilter(json: unknown): FieldFilter[] {
  const filter = parseObject(json, 'compositeFilter', 'fieldFilter', 'unaryFilter');
  if (filter.compositeFilter !== undefined) {
    const { op, filters } = parseObject(filter.compositeFilter, 'op', 'filters');
    parseEnum({ AND: true }, { OR: 'the filter or' }, op);
    return parseArray(filters).flatMap(parseFilter);
  }
  if (filter.unaryFilter !== undefined) {
    const { op, field } = parseObject(filter.unaryFilter, 'op', 'field');
    const operator = parseEnum(UNARY_OPERATORS, UNSUPPORTED_UNARY_OPERATORS, op, {
      firstNumber: 2,
    });
    return [{ field: parseFieldReference(field), op: operator, operand: NULL }];
  }
  const fieldFilter = parseObject(filter.fieldFilter, 'field', 'op', 'value');
  const field = parseFieldReference(fieldFilter.field);
  const op = parseEnum(OPERATORS, UNSUPPORTED_OPERATORS, fieldFilter.op);
  const value = normalizeValue(fieldFilter.value);
  if (op !== 'IN') return [{ field, op, operand: createOperandKey(field, value) }];
  const values = getArrayElements(value);
  if (values.length === 0 || values.length > MAX_IN_VALUES) {
    throw invalidArgumentError(`IN takes an array of 1 to ${MAX_IN_VALUES} values.`);
  }
  return [
    { field, op, operand: [ARRAY, values.map((element) => createOperandKey(field, element))] },
  ];
}

/** Parses a field reference into its path. */
export function parseFieldReference(json: unknown): string {
  const { fieldPath } = parseObject(json, 'fieldPath');
  parseFieldPath(fieldPath);
  return String(fieldPath);
}

/** Creates the sort key of an operand or cursor value. Throws if the field cannot be compared with it. */
export function createOperandKey(field: string | undefined, value: Value): SortKey {
  if (field === undefined) throw invalidArgumentError('A cursor has too many values.');
  if (field === NAME && value.referenceValue === undefined) {
    throw invalidArgumentError('__name__ is compared with references only.');
  }
  return createSortKey(value);
}

/** Creates a function that reads the sort key of a field; undefined if the document lacks the field. */
export function createKeyReader(
  field: string,
): (document: DocumentResource) => SortKey | undefined {
  const path = parseFieldPath(field);
  return ({ name, fields = {} }) => {
    const value = field === NAME ? { referenceValue: name } : getValue(fields, path);
    return value && createSortKey(value);
  };
}

/** Creates a function that checks a condition. */
export function createMatcher({ field, op, operand }: FieldFilter) {
  const readKey = createKeyReader(field);
  return (document: DocumentResource): boolean => {
    const key = readKey(document);
    return key !== undefined && PREDICATES[op](key, operand);
  };
}

/** Returns whether Firestore also orders the results by the field of a condition. */
export function isInequality({ op }: FieldFilter): boolean {
  return /THAN|NOT/.test(op);
}
