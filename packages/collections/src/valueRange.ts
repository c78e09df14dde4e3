/** Ranges of a list: from and to values of the field that orders it. */
import { encodeValue, type Value, type ValueRange } from '@tattoo-marketplace/firestore-rest';

/** A value that bounds a range. Times are in ms since the epoch. */
export type RangeBound = string | number;

/** The bounds of a range: `from` is included, `to` is not. */
export interface RangeRequest {
  readonly from?: RangeBound | undefined;
  readonly to?: RangeBound | undefined;
}

/** All numbers but NaN, and all strings. The next type in Firestore's order follows numbers and strings, respectively. */
const ALL_VALUES: Readonly<Record<'number' | 'string', ValueRange>> = {
  number: {
    from: { doubleValue: '-Infinity' },
    to: { timestampValue: '0001-01-01T00:00:00Z' },
  },
  string: { from: { stringValue: '' }, to: { bytesValue: '' } },
};

/**
 * Builds the range of a list; undefined if it has no bounds. It contains only values of the type of its bounds, also if
 * one bound is missing. Throws if a bound is neither a finite number nor a string, or if both have different types.
 */
export function buildRange({ from, to }: RangeRequest): ValueRange | undefined {
  const bounds = [from, to].filter((bound) => bound !== undefined);
  const [type, otherType = type] = bounds.map((bound) => typeof bound);
  if (type === undefined) return undefined;
  const isValid = bounds.every((bound) => typeof bound === 'string' || Number.isFinite(bound));
  if (type !== otherType || !isValid) {
    throw new Error('`from` and `to` of a page must be both finite numbers or both strings.');
  }
  const all = ALL_VALUES[type as 'number' | 'string'];
  return {
    from: from === undefined ? all.from : encodeValue(from),
    to: to === undefined ? all.to : encodeValue(to),
  };
}

/** Returns whether a range has no values, because it ends before it starts. */
export function isEmptyRange({ from, to }: RangeRequest): boolean {
  return from !== undefined && to !== undefined && compareBounds(from, to) >= 0;
}

/** Returns whether a stored value is within a range: it has the type of the bounds. */
export function isInRange(value: Value | undefined, { from, to }: RangeRequest): boolean {
  const bound = from ?? to;
  if (bound === undefined) return true;
  const stored = decodeExactly(value);
  const isSameType =
    typeof bound === 'string' ? typeof stored === 'string' : isComparableNumber(stored);
  if (stored === undefined || !isSameType) return false;
  return (
    (from === undefined || compareBounds(stored, from) >= 0) &&
    (to === undefined || compareBounds(stored, to) < 0)
  );
}

/** Decodes a string or a number. Integers keep all digits. */
function decodeExactly({ integerValue, doubleValue, stringValue }: Value = {}) {
  if (integerValue !== undefined) return BigInt(integerValue);
  return doubleValue === undefined ? stringValue : Number(doubleValue);
}

function isComparableNumber(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isNaN(value));
}

/** Compares two numbers, or two strings by their bytes in UTF-8, as Firestore does. */
function compareBounds(a: RangeBound | bigint, b: RangeBound): number {
  if (typeof a === 'string' && typeof b === 'string') {
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return a < b ? -1 : Number(a > b);
}
