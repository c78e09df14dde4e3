/** Firestore's order of values (https://firebase.google.com/docs/firestore/manage-data/data-types#value_type_ordering). */
import type { Fields, Value } from '@tattoo-marketplace/firestore-rest';

/** The position of a value in the order of all values. Keys of values of one type have the same structure. */
export type SortKey = number | bigint | string | readonly SortKey[];

/** Firestore's order of types. Integers and doubles are compared as numbers. */
const TYPE_ORDER = [
  'nullValue',
  'booleanValue',
  'numberValue',
  'timestampValue',
  'stringValue',
  'bytesValue',
  'referenceValue',
  'geoPointValue',
  'arrayValue',
  'mapValue',
];

type Stored = string & { values?: Value[]; fields?: Fields; latitude?: number; longitude?: number };

const SORT_KEYS: Readonly<Record<string, (stored: Stored) => SortKey>> = {
  booleanValue: Number,
  integerValue: (stored) => [BigInt(stored)],
  // NaN comes before all numbers.
  doubleValue: (stored) => (stored === 'NaN' ? [] : [Number(stored)]),
  timestampValue: (stored) => stored.slice(0, -1),
  stringValue: toByteString,
  bytesValue: (stored) => Buffer.from(stored, 'base64').toString('latin1'),
  referenceValue: (stored) => stored.split('/').map(toByteString),
  geoPointValue: ({ latitude = 0, longitude = 0 }) => [latitude, longitude],
  arrayValue: ({ values = [] }) => values.map(createSortKey),
  mapValue: ({ fields = {} }) =>
    Object.entries(fields)
      .map(([name, value]): SortKey => [toByteString(name), createSortKey(value)])
      .sort(compareKeys),
};

/** Converts a string to a string with a character for each byte in UTF-8: Firestore sorts strings by their bytes. */
function toByteString(string: string): string {
  return Buffer.from(string).toString('latin1');
}

/** Creates the sort key of a value. */
export function createSortKey(value: Value): SortKey {
  const [[type, stored]] = Object.entries(value) as [[string, Stored]];
  const isNumber = type === 'integerValue' || type === 'doubleValue';
  const position = TYPE_ORDER.indexOf(isNumber ? 'numberValue' : type);
  return [position, SORT_KEYS[type]?.(stored) ?? 0];
}

/** Compares keys of the same structure. */
export function compareKeys(a: SortKey, b: SortKey): number {
  if (typeof a !== 'object' || typeof b !== 'object') return a < b ? -1 : Number(a > b);
  for (let index = 0; index < a.length && index < b.length; index += 1) {
    const order = compareKeys(a[index] ?? 0, b[index] ?? 0);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Returns whether two values have the same position in the order, such as 1 and 1.0. */
export function areEqual(a: Value, b: Value): boolean {
  return compareKeys(createSortKey(a), createSortKey(b)) === 0;
}
