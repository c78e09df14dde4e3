/** Converts values to their stored form. Each value has exactly one. */
import type { Fields, Value } from '@tattoo-marketplace/firestore-rest';
import { invalidArgumentError, unimplementedError } from './apiError.ts';
import { parseArray, parseObject } from './parseJson.ts';

/** The name of a document: its database, and its path. */
export const DOCUMENT_NAME = /^projects\/[^/]+\/databases\/[^/]+\/documents(?:\/[^/]+\/[^/]+)+$/s;

const MAX_DEPTH = 20;
const MAX_NAME_BYTES = 1500;
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/;

/** Normalizes a value of each type to its stored form; undefined if it is invalid. */
const NORMALIZERS: Readonly<Record<string, (value: unknown, depth: number) => unknown>> = {
  nullValue: () => null,
  booleanValue: Boolean,
  integerValue: (value) => {
    if (!/^-?\d+$/.test(String(value))) return undefined;
    const integer = BigInt(value as string);
    return BigInt.asIntN(64, integer) === integer ? String(integer) : undefined;
  },
  doubleValue: (value) => {
    const double = Number(value);
    if (Number.isNaN(double) && value !== 'NaN') return undefined;
    return Number.isFinite(double) ? double : String(double);
  },
  timestampValue: (value) => {
    const [, start = '', fraction = ''] = TIME.exec(String(value)) ?? [];
    const milliseconds = Date.parse(`${start}Z`);
    return Number.isNaN(milliseconds)
      ? undefined
      : formatTimestamp(milliseconds, fraction.slice(0, 6));
  },
  stringValue: String,
  bytesValue: (value) => Buffer.from(String(value), 'base64').toString('base64'),
  referenceValue: (value) => (DOCUMENT_NAME.test(String(value)) ? value : undefined),
  geoPointValue: (value) => parseObject(value, 'latitude', 'longitude'),
  arrayValue: (value, depth) => {
    const values = parseArray(parseObject(value, 'values').values).map((element) =>
      normalizeValue(element, depth + 1),
    );
    if (values.some(({ arrayValue }) => arrayValue)) return undefined;
    return values.length === 0 ? {} : { values };
  },
  mapValue: (value, depth) =>
    omitEmptyFields(normalizeFields(parseObject(value, 'fields').fields ?? {}, depth + 1)),
};

/** Converts a value to its stored form. Throws if Firestore rejects the value. */
export function normalizeValue(json: unknown, depth = 0): Value {
  const [[type, value] = ['', undefined], ...otherTypes] = Object.entries(json ?? {});
  const normalize = Object.hasOwn(NORMALIZERS, type) ? NORMALIZERS[type] : undefined;
  if (type !== '' && normalize === undefined) throw unimplementedError(`values like ${type}`);
  const hasOneType = otherTypes.length === 0 && depth <= MAX_DEPTH;
  const normalized = hasOneType ? normalize?.(value, depth) : undefined;
  if (normalized === undefined)
    throw invalidArgumentError(`Invalid ${type}, or nested too deeply.`);
  return { [type]: normalized };
}

/** Converts fields to their stored form. */
export function normalizeFields(json: unknown, depth = 0): Fields {
  if (typeof json !== 'object' || json === null) throw invalidArgumentError('Expected fields.');
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

export function isReserved(name: string): boolean {
  return /^__.*__$/s.test(name);
}

/** Formats a timestamp with 0, 3 or 6 fraction digits. */
export function formatTimestamp(milliseconds: number, fraction: string): string {
  const digits = fraction.padEnd(6, '0').replace(/(?:000){1,2}$/, '');
  return `${new Date(milliseconds).toISOString().slice(0, 19)}${digits && '.'}${digits}Z`;
}
