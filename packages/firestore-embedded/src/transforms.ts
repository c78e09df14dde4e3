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
import { pathOf, valueAt, withValue } from './fields.ts';
import { invalid, members } from './refusal.ts';
import { isSame, storedValue } from './values.ts';

/** The value of a field after a transform. */
type Transform = (present: Value | undefined, sent: unknown, time: string) => Value | undefined;

const TRANSFORMS: Readonly<Record<string, Transform>> = {
  // The only such value is the time, in whole milliseconds.
  setToServerValue: (_present, _sent, time) =>
    storedValue({ timestampValue: new Date(time).toISOString() }),
  increment: (present, sent) => sumOf([...numbersIn(present), operand(sent)]),
  appendMissingElements: (present, sent) =>
    storedList(
      listSent(sent).reduce(
        (list, each) => (list.some((other) => isSame(other, each)) ? list : [...list, each]),
        getArrayElements(present),
      ),
    ),
  removeAllFromArray: (present, sent) => {
    const removed = listSent(sent);
    return storedList(
      getArrayElements(present).filter((each) => !removed.some((other) => isSame(other, each))),
    );
  },
};

/** Fields after transforms. */
export function transformed(fields: Fields, transforms: readonly unknown[], time: string): Fields {
  return transforms.reduce<Fields>((changed, transform) => {
    const { fieldPath, ...sent } = members(transform, 'fieldPath', ...Object.keys(TRANSFORMS));
    const [[kind, value] = ['', undefined], ...others] = Object.entries(sent);
    const path = pathOf(fieldPath);
    const result = TRANSFORMS[kind]?.(valueAt(changed, path), value, time);
    if (result === undefined || path.length === 0 || others.length > 0) {
      throw invalid('A transform needs a field and exactly one operation.');
    }
    return withValue(changed, path, result);
  }, fields);
}

/** The sum of numbers: an integer if all of them are. */
export function sumOf(numbers: readonly Value[]): Value {
  if (numbers.every(({ integerValue }) => integerValue !== undefined)) {
    const sum = numbers.reduce((total, each) => total + BigInt(each.integerValue ?? 0), 0n);
    return storedValue({ integerValue: String(sum) });
  }
  const sum = numbers.reduce((total, each) => total + Number(decodePrimitive(each)), 0);
  return storedValue({ doubleValue: String(sum) });
}

/** The value if it is a number. */
export function numbersIn(value: Value | undefined): Value[] {
  return value && ('integerValue' in value || 'doubleValue' in value) ? [value] : [];
}

function operand(sent: unknown): Value {
  const [number] = numbersIn(storedValue(sent));
  if (number === undefined) throw invalid('The operand must be a number.');
  return number;
}

function listSent(sent: unknown): readonly Value[] {
  return getArrayElements(storedValue({ arrayValue: sent }));
}

function storedList(values: readonly Value[]): Value {
  return storedValue({ arrayValue: { values } });
}
