/** Converts values to their stored form. Each value has exactly one. */
import { millisToTimestamp, type Fields, type Value } from '@tattoo-marketplace/firestore-rest';
import { invalidArgumentError, unimplementedError } from './apiError.ts';
import { parseArray, parseBoolean, parseObject } from './parseJson.ts';

/** The name of a document: its database, and its path. */
export const DOCUMENT_NAME = /^projects\/[^/]+\/databases\/[^/]+\/documents(?:\/[^/]+\/[^/]+)+$/s;

const MAX_DEPTH = 20;
const MAX_NAME_BYTES = 1500;
const MAX_ID_BYTES = 1500;
/** The maximum size of a string or of bytes (https://firebase.google.com/docs/firestore/quotas#limits). */
const MAX_VALUE_BYTES = 1024 * 1024 - 89;
const TIMESTAMP_PATTERN = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;
const DECIMAL = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const BASE64 = /^[\w+/-]*={0,2}$/;

/** Normalizes a value of each type to its stored form; undefined if it is invalid. */
const NORMALIZERS: Readonly<Record<string, (value: unknown, depth: number) => unknown>> = {
  nullValue: (value) => ([null, 0, 'NULL_VALUE'].includes(value as null) ? null : undefined),
  booleanValue: parseBoolean,
  integerValue: (value) => {
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    if (!/^-?\d+$/.test(String(value))) return undefined;
    const integer = BigInt(value);
    return BigInt.asIntN(64, integer) === integer ? String(integer) : undefined;
  },
  doubleValue: (value) => {
    const double = parseDouble(value);
    return double === undefined || Number.isFinite(double) ? double : String(double);
  },
  timestampValue: normalizeTimestamp,
  stringValue: (value) => {
    // Google converts numbers and Booleans.
    if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined;
    const string = String(value);
    return Buffer.byteLength(string) <= MAX_VALUE_BYTES ? string : undefined;
  },
  bytesValue: (value) => {
    // Padding is optional, and a last group of one character is too short.
    if (typeof value !== 'string' || !BASE64.test(value)) return undefined;
    if (value.replace(/=+$/, '').length % 4 === 1) return undefined;
    const bytes = Buffer.from(value, 'base64');
    return bytes.length <= MAX_VALUE_BYTES ? bytes.toString('base64') : undefined;
  },
  referenceValue: (value) => {
    if (typeof value !== 'string' || !DOCUMENT_NAME.test(value)) return undefined;
    value.split('/').slice(5).forEach(parseId);
    return value;
  },
  geoPointValue: (value) => {
    const { latitude, longitude } = parseObject(value, 'latitude', 'longitude');
    const [north, east] = [parseDouble(latitude ?? 0), parseDouble(longitude ?? 0)];
    if (north === undefined || east === undefined) return undefined;
    if (!(Math.abs(north) <= 90 && Math.abs(east) <= 180)) return undefined;
    return { ...(north !== 0 && { latitude: north }), ...(east !== 0 && { longitude: east }) };
  },
  arrayValue: (value, depth) => {
    const values = parseArray(parseObject(value, 'values').values).map((element) =>
      normalizeValue(element, depth + 1),
    );
    if (values.some(({ arrayValue }) => arrayValue)) return undefined;
    return values.length === 0 ? {} : { values };
  },
  mapValue: (value, depth) => {
    const fields = parseObject(value, 'fields').fields ?? {};
    if (isVector(fields)) throw unimplementedError('vectors');
    return omitEmptyFields(normalizeFields(fields, depth + 1));
  },
};

/** Returns whether the fields of a map are those of a vector. */
function isVector(fields: object): boolean {
  const { __type__: type } = fields as { readonly __type__?: Value };
  return type?.stringValue === '__vector__';
}

/** Parses a double, also as a string; undefined if it is invalid. */
function parseDouble(value: unknown): number | undefined {
  if (typeof value === 'string' && /^(?:NaN|-?Infinity)$/.test(value)) return Number(value);
  const isDecimal = typeof value === 'number' || (typeof value === 'string' && DECIMAL.test(value));
  const double = Number(value);
  // JSON.parse returns infinity for 1e400.
  return isDecimal && Number.isFinite(double) ? double : undefined;
}

/** Normalizes a timestamp of the years 1 to 9999; undefined if it is invalid. */
export function normalizeTimestamp(value: unknown): string | undefined {
  const [, start = '', fraction = '', zone = ''] = TIMESTAMP_PATTERN.exec(String(value)) ?? [];
  const local = Date.parse(`${start}Z`);
  // Date.parse accepts 30 February and 24:00.
  const exists = !Number.isNaN(local) && formatTimestamp(local, '') === `${start}Z`;
  const milliseconds = Date.parse(start + zone);
  const isInRange = millisToTimestamp(milliseconds) !== undefined;
  return exists && isInRange ? formatTimestamp(milliseconds, fraction.slice(0, 6)) : undefined;
}

/** Converts a value to its stored form. Throws if Firestore rejects the value. */
export function normalizeValue(json: unknown, depth = 0): Value {
  const [[type, value] = ['', undefined], ...otherTypes] = Object.entries(json ?? {});
  const normalize = Object.hasOwn(NORMALIZERS, type) ? NORMALIZERS[type] : undefined;
  if (type !== '' && normalize === undefined) throw unimplementedError(`values like ${type}`);
  const hasOneType = otherTypes.length === 0 && depth <= MAX_DEPTH;
  const normalized = hasOneType ? normalize?.(value, depth) : undefined;
  if (normalized === undefined)
    throw invalidArgumentError(`Invalid or too long ${type}, or nested too deeply.`);
  return { [type]: normalized };
}

/** Converts fields to their stored form. */
export function normalizeFields(json: unknown, depth = 0): Fields {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw invalidArgumentError('Expected fields.');
  }
  const fields = Object.entries(json).map(([name, value]) => {
    const isName = name !== '' && !isReserved(name) && Buffer.byteLength(name) <= MAX_NAME_BYTES;
    if (!isName) throw invalidArgumentError(`Invalid or reserved field name: ${name}.`);
    return [name, normalizeValue(value, depth)] as const;
  });
  return Object.fromEntries(fields);
}

/** Returns the fields of a map or a document as Firestore does: without `fields` if there are none. */
export function omitEmptyFields(fields: Fields): { readonly fields?: Fields } {
  return Object.keys(fields).length === 0 ? {} : { fields };
}

/** Parses the id of a document or a collection. Throws if it is invalid. */
export function parseId(id: unknown): string {
  const isId = typeof id === 'string' && !/^\.{0,2}$|\//.test(id) && !isReserved(id);
  if (isId && Buffer.byteLength(id) <= MAX_ID_BYTES) return id;
  throw invalidArgumentError(`Invalid or reserved id: ${String(id)}.`);
}

export function isReserved(name: string): boolean {
  return /^__.*__$/s.test(name);
}

/** Formats a timestamp with 0, 3 or 6 fraction digits. */
export function formatTimestamp(milliseconds: number, fraction: string): string {
  const digits = fraction.padEnd(6, '0').replace(/(?:000){1,2}$/, '');
  return `${new Date(milliseconds).toISOString().slice(0, 19)}${digits && '.'}${digits}Z`;
}
