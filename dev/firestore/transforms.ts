/** Changes that depend on the stored value (https://firebase.google.com/docs/firestore/reference/rest/v1/Write#FieldTransform). */
import { pathOf, valueAt, withValue } from './fields.ts';
import { elements, invalid, members } from './refusal.ts';
import { compareKeys, keyOf, storedValue, valuesOf, type Fields, type Value } from './values.ts';

/** The value of a field after a transform. */
type Transform = (present: Value | undefined, sent: unknown, time: string) => Value;

const TRANSFORMS: Readonly<Record<string, Transform>> = {
  // The only such value is the time, in whole milliseconds.
  setToServerValue: (_present, _sent, time) =>
    storedValue({ timestampValue: new Date(time).toISOString() }),
  increment: (present, sent) => sumOf([numberOf(present) ?? { integerValue: '0' }, operand(sent)]),
  maximum: (present, sent) => extreme(numberOf(present), operand(sent), 1),
  minimum: (present, sent) => extreme(numberOf(present), operand(sent), -1),
  appendMissingElements: (present, sent) =>
    elementsOf(sent).reduce<Value>(
      (list, each) => {
        const values = valuesOf(list);
        return values.some((other) => isSame(other, each)) ? list : listOf([...values, each]);
      },
      listOf(valuesOf(present)),
    ),
  removeAllFromArray: (present, sent) => {
    const removed = elementsOf(sent);
    return listOf(valuesOf(present).filter((each) => !removed.some((one) => isSame(one, each))));
  },
};

/** Fields after transforms, and the result of each, as the response has it. */
export function transformed(
  fields: Fields,
  transforms: readonly unknown[],
  time: string,
): { fields: Fields; results: Value[] } {
  const results: Value[] = [];
  let changed = fields;
  for (const transform of transforms) {
    const { fieldPath, ...sent } = members(transform, 'fieldPath', ...Object.keys(TRANSFORMS));
    const [[kind, value] = ['', undefined], ...others] = Object.entries(sent);
    if (others.length > 0) throw invalid('A transform does one thing.');
    const path = pathOf(fieldPath);
    const present = valueAt(changed, path);
    const result = TRANSFORMS[kind]?.(present, value, time);
    if (result === undefined || path.length === 0) throw invalid('A transform does something.');
    results.push(result);
    changed = withValue(changed, path, result);
  }
  return { fields: changed, results };
}

/** The sum of numbers: an integer, within 64 bits, if all of them are. */
export function sumOf(numbers: readonly Value[]): Value {
  if (numbers.every(({ integerValue }) => integerValue !== undefined)) {
    const sum = numbers.reduce((total, each) => total + BigInt(each.integerValue as string), 0n);
    const limit = 2n ** 63n;
    return { integerValue: String(sum < -limit ? -limit : sum >= limit ? limit - 1n : sum) };
  }
  const sum = numbers.reduce((total, each) => total + asDouble(each), 0);
  return storedValue({ doubleValue: String(sum) });
}

/** A number; undefined for other values. */
export function numberOf(value: Value | undefined): Value | undefined {
  return value && ('integerValue' in value || 'doubleValue' in value) ? value : undefined;
}

export function asDouble({ integerValue, doubleValue }: Value): number {
  return Number(integerValue ?? doubleValue);
}

function operand(sent: unknown): Value {
  const number = numberOf(storedValue(sent));
  if (number === undefined) throw invalid('The operand is no number.');
  return number;
}

/** The larger one of two numbers, the smaller one with a sign of -1, and the present one if they are equal. */
function extreme(present: Value | undefined, sent: Value, sign: number): Value {
  if (present === undefined) return sent;
  return compareKeys(keyOf(sent), keyOf(present)) * sign > 0 ? sent : present;
}

function elementsOf(sent: unknown): Value[] {
  return elements(members(sent, 'values').values).map((each) => storedValue(each, 1));
}

function listOf(values: readonly Value[]): Value {
  return { arrayValue: values.length === 0 ? {} : { values } };
}

function isSame(a: Value, b: Value): boolean {
  return compareKeys(keyOf(a), keyOf(b)) === 0;
}
