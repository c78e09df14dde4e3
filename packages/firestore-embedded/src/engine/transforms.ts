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
import { parseObject } from './parseJson.ts';
import { normalizeValue } from './normalize.ts';
import { areEqual } from './sortOrder.ts';

/** The value of a field after a transform. */
type Transform = (present: Value | undefined, sent: unknown, time: string) => Value | undefined;

const TRANSFORMS: Readonly<Record<string, Transform>> = {
  // The only such value is the time, in whole milliseconds.
  setToServerValue: (_present, _sent, time) =>
    normalizeValue({ timestampValue: new Date(time).toISOString() }),
  increment: (present, sent) => sumNumbers([...onlyNumbers(present), parseNumberOperand(sent)]),
  appendMissingElements: (present, sent) =>
    storedList(
      parseArrayOperand(sent).reduce(
        (list, each) => (list.some((other) => areEqual(other, each)) ? list : [...list, each]),
        getArrayElements(present),
      ),
    ),
  removeAllFromArray: (present, sent) => {
    const removed = parseArrayOperand(sent);
    return storedList(
      getArrayElements(present).filter((each) => !removed.some((other) => areEqual(other, each))),
    );
  },
};

/** Fields after transforms. */
export function applyTransforms(
  fields: Fields,
  transforms: readonly unknown[],
  time: string,
): Fields {
  return transforms.reduce<Fields>((changed, transform) => {
    const { fieldPath, ...sent } = parseObject(transform, 'fieldPath', ...Object.keys(TRANSFORMS));
    const [[kind, value] = ['', undefined], ...others] = Object.entries(sent);
    const path = parseFieldPath(fieldPath);
    const result = TRANSFORMS[kind]?.(getValue(changed, path), value, time);
    if (result === undefined || path.length === 0 || others.length > 0) {
      throw invalidArgumentError('A transform needs a field and exactly one operation.');
    }
    return setValue(changed, path, result);
  }, fields);
}

/** The sum of numbers: an integer if all of them are. */
export function sumNumbers(numbers: readonly Value[]): Value {
  if (numbers.every(({ integerValue }) => integerValue !== undefined)) {
    const sum = numbers.reduce((total, each) => total + BigInt(each.integerValue ?? 0), 0n);
    return normalizeValue({ integerValue: String(sum) });
  }
  const sum = numbers.reduce((total, each) => total + Number(decodePrimitive(each)), 0);
  return normalizeValue({ doubleValue: String(sum) });
}

/** The value if it is a number. */
export function onlyNumbers(value: Value | undefined): Value[] {
  return value && ('integerValue' in value || 'doubleValue' in value) ? [value] : [];
}

function parseNumberOperand(sent: unknown): Value {
  const [number] = onlyNumbers(normalizeValue(sent));
  if (number === undefined) throw invalidArgumentError('The operand must be a number.');
  return number;
}

function parseArrayOperand(sent: unknown): readonly Value[] {
  return getArrayElements(normalizeValue({ arrayValue: sent }));
}

function storedList(values: readonly Value[]): Value {
  return normalizeValue({ arrayValue: { values } });
}
