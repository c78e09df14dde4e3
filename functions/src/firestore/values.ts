/**
 * Converts between JavaScript values and the values of Firestore's REST API
 * (https://firebase.google.com/docs/firestore/reference/rest/v1/Value).
 */

import { isDeepStrictEqual } from 'node:util';

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

/** A point in time as Firestore stores it, with microseconds. */
export class Timestamp {
  /** RFC 3339, UTC. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
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

/** A stored reference to a document. */
export class Reference {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A stored value to write back exactly as it was read, without loss of digits. */
export class Unchanged {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

/** The value in JavaScript. An integer beyond 2^53 loses digits, like in the Admin SDK. */
export function fromValue(value: Value): unknown {
  // Most common kinds first.
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

/** The elements of a stored array; none if the value is not an array. */
export function elementsOf(value: Value | undefined): readonly Value[] {
  return value?.arrayValue?.values ?? [];
}

function fromFields(fields: Fields): Record<string, unknown> {
  // Object.fromEntries defines properties, so a field named __proto__ stays an ordinary field.
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, fromValue(value)]),
  );
}

/** A time in ms since the epoch: a number, or a timestamp rounded down like in the Admin SDK; undefined for other kinds. */
export function millisOf({ integerValue, doubleValue, timestampValue }: Value): number | undefined {
  if (integerValue !== undefined) return Number(integerValue);
  if (typeof doubleValue === 'number') return doubleValue;
  return timestampValue === undefined
    ? undefined
    : Date.parse(timestampValue.replace(/(\.\d{3})\d+/, '$1'));
}

/**
 * Whether two stored values are the same. JSON from Firestore spells some values in another way than JSON for it: an empty
 * list or map may lack its content, and a place the coordinates that are 0.
 */
export function isEqual(one: Value | undefined, other: Value | undefined): boolean {
  return isDeepStrictEqual(canonical(one ?? {}), canonical(other ?? {}));
}

function canonical(value: Value): Value {
  const { arrayValue, mapValue, geoPointValue } = value;
  if (arrayValue !== undefined) return { arrayValue: { values: elementsOf(value).map(canonical) } };
  if (mapValue !== undefined) {
    const fields = Object.entries(mapValue.fields ?? {});
    const same = fields.map(([name, member]) => [name, canonical(member)] as const);
    return { mapValue: { fields: Object.fromEntries(same) } };
  }
  return geoPointValue === undefined
    ? value
    : { geoPointValue: { latitude: 0, longitude: 0, ...geoPointValue } };
}

/** The value as Firestore stores it. Throws a TypeError for undefined, functions and symbols. */
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
      throw new TypeError(`Firestore cannot store a value of type ${typeof value}.`);
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

/** Like `JSON.stringify`, but preserves the sign of a negative zero. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('"doubleValue":0')
    ? JSON.stringify(value, (_name, member: unknown) =>
        Object.is(member, -0) ? rawJson('-0') : member,
      )
    : text;
}

/** `JSON.rawJSON` (https://github.com/tc39/proposal-json-parse-with-source), which TypeScript does not declare yet. */
function rawJson(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}
