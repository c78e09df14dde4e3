/** Values of one kind as another one, where that is certain. */
import { isEqual, millisOf, timestampOf, type Value } from '@tattoo-marketplace/firestore-rest';
import { isNoValue } from '../../functions/src/documents/storedNames.ts';
import { kindOf } from './fieldTypes.ts';

/** A value of the kind; undefined if the value cannot be converted, the value itself if it has the kind. */
type Conversion = (value: Value) => Value | undefined;

/** To each kind, under the name that check:data has for it. */
const CONVERSIONS = {
  text: (value) => {
    const { stringValue, integerValue, doubleValue, referenceValue } = value;
    if (stringValue !== undefined) return value;
    if (referenceValue !== undefined) return idIn(referenceValue);
    const number = integerValue ?? doubleValue;
    return number === undefined ? undefined : { stringValue: String(number) };
  },
  number: (value) => (isNumber(value) ? value : numberIn(value)),
  integer: (value) => {
    const number = isNumber(value) ? value : numberIn(value);
    return number && Number.isInteger(millisOf(number)) ? number : undefined;
  },
  boolean: (value) => {
    if (value.booleanValue !== undefined) return value;
    const { stringValue: text } = value;
    return text === 'true' || text === 'false' ? { booleanValue: text === 'true' } : undefined;
  },
  time: (value) => {
    if (isNumber(value)) return value;
    const timestamp = timestampIn(value) ?? value;
    const millis = millisOf(timestamp);
    // Not if microseconds would get lost.
    return millis !== undefined && isEqual(timestampOf(millis), timestamp)
      ? { integerValue: String(millis) }
      : undefined;
  },
  timestamp: (value) => {
    if (value.timestampValue !== undefined) return value;
    const millis = isNumber(value) ? millisOf(value) : undefined;
    return millis === undefined ? timestampIn(value) : timestampOf(millis);
  },
  list: (value) => {
    if (value.arrayValue !== undefined) return value;
    return value.stringValue ? { arrayValue: { values: [value] } } : undefined;
  },
} as const satisfies Readonly<Record<string, Conversion>>;

/** A kind that values can be converted to. */
export type Kind = keyof typeof CONVERSIONS;

export const KINDS = Object.keys(CONVERSIONS) as readonly Kind[];

/** The value as one of this kind; undefined if nobody can be certain of it. What counts as missing remains. */
export function converted(value: Value, kind: Kind): Value | undefined {
  return isNoValue(value) ? value : CONVERSIONS[kind](value);
}

/** What a value is that cannot be converted: `a text that is not exactly a number`, `a map`. */
export function unconverted(value: Value, kind: Kind): string {
  const is = `a ${kindOf(value)}`;
  const text = TEXTS[kind];
  if (value.stringValue !== undefined && text !== undefined) return `${is} that ${text}`;
  if (value.referenceValue !== undefined && kind === 'text') return `${is} to a subcollection`;
  if (value.timestampValue !== undefined && kind === 'time') return `${is} with microseconds`;
  return kindOf(value) === 'number' && kind === 'integer' ? `${is} that is not whole` : is;
}

const TEXTS: Readonly<Partial<Record<Kind, string>>> = {
  number: 'is not exactly a number',
  integer: 'is not exactly a whole number',
  boolean: 'is neither true nor false',
  time: 'is not a time in whole milliseconds with its zone (2026-01-31T12:00:00Z)',
  timestamp: 'is not a time with its zone (2026-01-31T12:00:00Z)',
  list: 'is empty',
};

function isNumber({ integerValue, doubleValue }: Value): boolean {
  return integerValue !== undefined || doubleValue !== undefined;
}

/** The id of a document that is in no other one: of one in a subcollection, the id alone says too little. */
function idIn(reference: string): Value | undefined {
  const [, id] = /\/documents\/[^/]+\/([^/]+)$/.exec(reference) ?? [];
  return id === undefined ? undefined : { stringValue: id };
}

/** The number that a text writes, if no digit gets lost: not `12345678901234567890`, nor `1,000`. */
function numberIn({ stringValue = '' }: Value): Value | undefined {
  const number = Number(stringValue);
  const shortest = stringValue.includes('.') ? stringValue.replace(/\.?0+$/, '') : stringValue;
  if (!Number.isFinite(number) || String(number) !== shortest) return undefined;
  return Number.isSafeInteger(number) ? { integerValue: shortest } : { doubleValue: number };
}

/** The time that an ISO 8601 text names, to the microsecond, with a zone: without one, nobody knows which time it is. */
function timestampIn({ stringValue = '' }: Value): Value | undefined {
  const [, seconds = '', fraction = '', zone = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6})0*)?(Z|[+-]\d\d:\d\d)$/.exec(stringValue) ?? [];
  const millis = Date.parse(`${seconds}${zone}`);
  // Date takes 31 February as 3 March.
  if (
    Number.isNaN(millis) ||
    timestampOf(Date.parse(`${seconds}Z`))?.timestampValue?.startsWith(seconds) !== true
  ) {
    return undefined;
  }
  const { timestampValue } = timestampOf(millis) ?? {};
  const micros = fraction.padEnd(6, '0');
  return timestampValue === undefined
    ? undefined
    : { timestampValue: timestampValue.replace(/\d+Z$/, `${micros}Z`) };
}
