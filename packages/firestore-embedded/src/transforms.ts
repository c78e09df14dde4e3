/** Changes that depend on the stored value (https://firebase.google.com/docs/firestore/reference/rest/v1/Write#FieldTransform). */
import { elementsOf, fromValue, type Fields, type Value } from '@tattoo-marketplace/firestore-rest';
import { pathOf, valueAt, withValue } from './fields.ts';
import { invalid, members } from './refusal.ts';
import { isSame, storedValue } from './values.ts';

/** The value of a field after a transform. */
type Transform = (present: Value | undefined, sent: unknown, time: string) => Value | undefined;

const TRANSFORMS: Readonly<Record<string, Transform>> = {
  // The only such value is the time, in whole milliseconds.
  setToServerValue: (_present, _sent, time) =>
    storedValue({ timestampValue: new Date(time).toISOString() }),
  increment: sumOf,
  appendMissingElements: (present, sent) =>
    storedList(
      listSent(sent).reduce(
        (list, each) => (list.some((other) => isSame(other, each)) ? list : [...list, each]),
        elementsOf(present),
      ),
    ),
  removeAllFromArray: (present, sent) => {
    const removed = listSent(sent);
    return storedList(
      elementsOf(present).filter((each) => !removed.some((other) => isSame(other, each))),
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
      throw invalid('A transform does one thing to a field.');
    }
    return withValue(changed, path, result);
  }, fields);
}

/** The sum of the stored value, if it is a number, and another: an integer if both are. */
function sumOf(present: Value | undefined, sent: unknown): Value {
  const added = storedValue(sent);
  if (!isNumber(added)) throw invalid('The operand is no number.');
  if (!present || !isNumber(present)) return added;
  const [a, b] = [present.integerValue, added.integerValue];
  return a !== undefined && b !== undefined
    ? storedValue({ integerValue: String(BigInt(a) + BigInt(b)) })
    : storedValue({ doubleValue: String(Number(fromValue(present)) + Number(fromValue(added))) });
}

function isNumber(value: Value): boolean {
  return 'integerValue' in value || 'doubleValue' in value;
}

function listSent(sent: unknown): readonly Value[] {
  return elementsOf(storedValue({ arrayValue: sent }));
}

function storedList(values: readonly Value[]): Value {
  return storedValue({ arrayValue: { values } });
}
