/**
 * Firestore's values as its REST interface writes them, and as JavaScript has them
 * (https://firebase.google.com/docs/firestore/reference/rest/v1/Value).
 */

/** A value of the REST interface: one of these members, named after the kind of value. */
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

/** A point in time as Firestore stores it: up to microseconds. */
export class Timestamp {
  /** RFC 3339, UTC. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Milliseconds since the Unix epoch, UTC; what is below a millisecond is cut off, as the Admin SDK does. */
  toMillis(): number {
    return Date.parse(this.text.replace(/(\.\d{3})\d+/, '$1'));
  }
}

/** A place on Earth, in degrees. */
export class GeoPoint {
  readonly latitude: number;
  readonly longitude: number;

  constructor(latitude: number, longitude: number) {
    this.latitude = latitude;
    this.longitude = longitude;
  }
}

/** The name of a document, stored as a value. */
export class Reference {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A stored value that is written back as it was read: to the last digit of an integer, to the microsecond. */
export class Unchanged {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

/** A value in JavaScript. An integer beyond 2^53 loses digits, as with the Admin SDK. */
export function fromValue(value: Value): unknown {
  // The one member tells the kind. Most values are texts and numbers.
  if (value.stringValue !== undefined) return value.stringValue;
  if (value.integerValue !== undefined) return Number(value.integerValue);
  if (value.doubleValue !== undefined) return Number(value.doubleValue);
  if (value.booleanValue !== undefined) return value.booleanValue;
  if (value.timestampValue !== undefined) return new Timestamp(value.timestampValue);
  if (value.arrayValue !== undefined) return elementsOf(value).map(fromValue);
  if (value.mapValue !== undefined) return fromFields(value.mapValue.fields ?? {});
  if (value.bytesValue !== undefined) return Buffer.from(value.bytesValue, 'base64');
  if (value.referenceValue !== undefined) return new Reference(value.referenceValue);
  if (value.geoPointValue !== undefined) {
    const { latitude = 0, longitude = 0 } = value.geoPointValue;
    return new GeoPoint(latitude, longitude);
  }
  return null;
}

/** The elements of a stored list; none where the value is no list. */
export function elementsOf(value: Value | undefined): readonly Value[] {
  return value?.arrayValue?.values ?? [];
}

function fromFields(fields: Fields): Record<string, unknown> {
  // fromEntries defines its properties, so a field named __proto__ stays a field.
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, fromValue(value)]),
  );
}

/** A JavaScript value as Firestore stores it. Throws a TypeError for what it cannot store: undefined, a function. */
export function toValue(value: unknown): Value {
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { booleanValue: value };
    case 'number':
      return numberValue(value);
    case 'bigint':
      return { integerValue: String(value) };
    case 'object':
      return value === null ? { nullValue: null } : objectValue(value);
    default:
      throw new TypeError(`Firestore stores no ${typeof value}.`);
  }
}

/** The fields of an object as Firestore stores them. */
export function toFields(object: object): Fields {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, toValue(value)]));
}

function numberValue(number: number): Value {
  if (Number.isSafeInteger(number) && !Object.is(number, -0))
    return { integerValue: String(number) };
  if (Number.isFinite(number)) return { doubleValue: number };
  return { doubleValue: String(number) as 'NaN' | 'Infinity' | '-Infinity' };
}

function objectValue(object: object): Value {
  if (Array.isArray(object)) return { arrayValue: { values: object.map(toValue) } };
  if (object instanceof Unchanged) return object.value;
  if (object instanceof Timestamp) return { timestampValue: object.text };
  if (object instanceof Date) return { timestampValue: object.toISOString() };
  if (object instanceof Uint8Array) return { bytesValue: Buffer.from(object).toString('base64') };
  if (object instanceof Reference) return { referenceValue: object.name };
  if (object instanceof GeoPoint) {
    return { geoPointValue: { latitude: object.latitude, longitude: object.longitude } };
  }
  return { mapValue: { fields: toFields(object) } };
}

/** JSON that keeps the sign of a negative zero, which `JSON.stringify` drops. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value);
  return /"doubleValue":0\b/.test(text)
    ? JSON.stringify(value, (_name, member: unknown) =>
        Object.is(member, -0) ? rawJson('-0') : member,
      )
    : text;
}

/** `JSON.rawJSON` (https://github.com/tc39/proposal-json-parse-with-source), which TypeScript does not declare yet. */
function rawJson(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}
