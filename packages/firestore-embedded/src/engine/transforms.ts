/**
 * Field transforms: writes whose result depends on the stored value
 * (https://firebase.google.com/docs/firestore/reference/rest/v1/Write#FieldTransform).
 */
import {
  getArrayElements,
  decodePrimitive,
  type Fields,
  type Value,
} from '@tattoo-marketplace/firestore-rest';
import { parseFieldPath, getValue, setValue } from './fieldPaths.ts';
import { invalidArgumentError } from './apiError.ts';
import { parseEnum, parseObject } from './parseJson.ts';
import { normalizeValue } from './normalize.ts';
import { areEqual } from './sortOrder.ts';

/** Returns the value of a field after a transform. */
type Transform = (
  storedValue: Value | undefined,
  operand: unknown,
  time: string,
) => Value | undefined;

const TRANSFORMS: Readonly<Record<string, Transform>> = {
  // The only server value is the time, in whole milliseconds.
  setToServerValue: (_storedValue, operand, time) => {
    parseEnum({ REQUEST_TIME: true }, {}, operand);
    return normalizeValue({ timestampValue: new Date(time).toISOString() });
  },
  increment: (storedValue, operand) =>
    sumNumbers([...toNumbers(storedValue), parseNumberOperand(operand)]),
  appendMissingElements: (storedValue, operand) =>
    normalizeArray(
      parseArrayOperand(operand).reduce(
        (values, value) => (includes(values, value) ? values : [...values, value]),
        getArrayElements(storedValue),
      ),
    ),
  removeAllFromArray: (storedValue, operand) => {
    const removedValues = parseArrayOperand(operand);
    return normalizeArray(
      getArrayElements(storedValue).filter((value) => !includes(removedValues, value)),
    );
  },
};

/** Returns the fields after transforms. */
export function applyTransforms(
  fields: Fields,
  transforms: readonly unknown[],
  time: string,
): Fields {
  return transforms.reduce<Fields>((changedFields, transform) => {
    const { fieldPath, ...operations } = parseObject(
      transform,
      'fieldPath',
      ...Object.keys(TRANSFORMS),
    );
    const [[operation, operand] = ['', undefined], ...otherOperations] = Object.entries(operations);
    const path = parseFieldPath(fieldPath);
    const result = TRANSFORMS[operation]?.(getValue(changedFields, path), operand, time);
    if (result === undefined || path.length === 0 || otherOperations.length > 0) {
      throw invalidArgumentError('A transform needs a field and exactly one operation.');
    }
    return setValue(changedFields, path, result);
  }, fields);
}

/** Adds numbers. The sum is an integer if all numbers are integers. */
export function sumNumbers(numbers: readonly Value[]): Value {
  if (numbers.every(({ integerValue }) => integerValue !== undefined)) {
    const sum = numbers.reduce((total, number) => total + BigInt(number.integerValue ?? 0), 0n);
    return normalizeValue({ integerValue: String(sum) });
  }
  const sum = numbers.reduce((total, number) => total + Number(decodePrimitive(number)), 0);
  return normalizeValue({ doubleValue: String(sum) });
}

/** Returns an array with the value if it is a number; otherwise an empty array. */
export function toNumbers(value: Value | undefined): Value[] {
  return value && ('integerValue' in value || 'doubleValue' in value) ? [value] : [];
}

function parseNumberOperand(operand: unknown): Value {
  const [number] = toNumbers(normalizeValue(operand));
  if (number === undefined) throw invalidArgumentError('The operand must be a number.');
  return number;
}

function parseArrayOperand(operand: unknown): readonly Value[] {
  return getArrayElements(normalizeValue({ arrayValue: operand }));
}

function includes(values: readonly Value[], value: Value): boolean {
  return values.some((candidate) => areEqual(candidate, value));
}

function normalizeArray(values: readonly Value[]): Value {
  return normalizeValue({ arrayValue: { values } });
}
