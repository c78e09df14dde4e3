/**
 * Converts between JavaScript values and the values of Firestore's REST API
 * (https://firebase.google.com/docs/firestore/reference/rest/v1/Value).
 */

/** A value of the REST API. Exactly one of these members is present. */
export interface Value {
  readonly nullValue?: null;
  readonly booleanValue?: boolean;
  /** A 64-bit integer in decimal digits. */
  readonly integerValue?: string;
  readonly doubleValue?: number | 'NaN' | 'Infinity' | '-Infinity';
  /** RFC 3339, UTC, up to nanoseconds. */
  readonly timestampValue?: string;
  readonly stringValue?: string;
  /** Base64. */
  readonly bytesValue?: string;
  /** The full name of a document: `projects/…/databases/…/documents/…`. */
  readonly referenceValue?: string;
  readonly geoPointValue?: { readonly latitude?: number; readonly longitude?: number };
  readonly arrayValue?: { readonly values?: readonly Value[] };
  readonly mapValue?: { readonly fields?: Fields };
}

/** The fields of a document or a map, by name. */
export type Fields = Readonly<Record<string, Value>>;

/**
 * Decodes a string, a number or a boolean; undefined for other types. An integer beyond 2^53 loses digits, like in the
 * Admin SDK.
 */
export function decodePrimitive(value: Value = {}): string | number | boolean | undefined {
  const number = value.integerValue ?? value.doubleValue;
  return number === undefined ? (value.stringValue ?? value.booleanValue) : Number(number);
}

/** Returns the value at a path, such as `price.amount`; undefined if the field is missing. */
export function getFieldValue(fields: Fields, path: string): Value | undefined {
  const [name = '', ...rest] = path.split('.');
  const value = fields[name];
  return rest.length === 0 ? value : getFieldValue(value?.mapValue?.fields ?? {}, rest.join('.'));
}

/** Returns the elements of an array; none if the value is not an array. */
export function getArrayElements(value: Value | undefined): readonly Value[] {
  return value?.arrayValue?.values ?? [];
}

/**
 * Converts a number or a timestamp to ms since the epoch; undefined for other types. Timestamps are rounded down, like
 * in the Admin SDK.
 */
export function valueToMillis({
  integerValue,
  doubleValue,
  timestampValue,
}: Value): number | undefined {
  if (integerValue !== undefined) return Number(integerValue);
  if (typeof doubleValue === 'number') return doubleValue;
  return timestampValue === undefined
    ? undefined
    : Date.parse(timestampValue.replace(/(\.\d{3})\d+/, '$1'));
}

/**
 * The range of Firestore timestamps, years 1 to 9999: start (inclusive) and end (exclusive), in ms
 * since the epoch.
 */
const FIRST_YEAR = Date.parse('0001-01-01T00:00:00Z');
const BEYOND_LAST_YEAR = Date.parse('+010000-01-01T00:00:00Z');

/** Converts ms since the epoch to a timestamp, rounded down to microseconds; undefined beyond the years 1 to 9999. */
export function millisToTimestamp(millis: number): Value | undefined {
  if (!(millis >= FIRST_YEAR && millis < BEYOND_LAST_YEAR)) return undefined;
  const wholeMillis = Math.floor(millis);
  // For numbers just below 0, the difference is rounded up to 1.
  const micros = Math.min(999, Math.floor((millis - wholeMillis) * 1000));
  const digits = String(micros).padStart(3, '0');
  return { timestampValue: new Date(wholeMillis).toISOString().replace('Z', `${digits}Z`) };
}

/** Encodes a JSON value. Throws a TypeError for a value that JSON cannot express. */
export function encodeValue(value: unknown): Value {
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { booleanValue: value };
    case 'number':
      return encodeNumber(value);
    case 'object':
      if (value === null) return { nullValue: null };
      return Array.isArray(value)
        ? { arrayValue: { values: value.map(encodeValue) } }
        : { mapValue: { fields: encodeFields(value) } };
    default:
      throw new TypeError(`Firestore cannot store a value of type ${typeof value}.`);
  }
}

/** Encodes the members of an object. */
function encodeFields(object: object): Fields {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, encodeValue(value)]),
  );
}

function encodeNumber(number: number): Value {
  // -0 becomes 0.
  if (Number.isSafeInteger(number)) return { integerValue: String(number) };
  if (Number.isFinite(number)) return { doubleValue: number };
  return { doubleValue: String(number) as 'NaN' | 'Infinity' | '-Infinity' };
}
