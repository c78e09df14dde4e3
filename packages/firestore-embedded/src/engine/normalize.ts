/** The stored form of values: each value has exactly one. */
import type { Fields, Value } from '@tattoo-marketplace/firestore-rest';
import { invalidArgumentError, unimplementedError } from './apiError.ts';
import { parseArray, parseObject } from './parseJson.ts';

/** The name of a document: its database, and its path. */
export const DOCUMENT_NAME = /^projects\/[^/]+\/databases\/[^/]+\/documents(?:\/[^/]+\/[^/]+)+$/s;

const MAX_DEPTH = 20;
const MAX_NAME_BYTES = 1500;
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/;

/** Normalizes a value of each type to its stored form; undefined if it is invalid. */
const NORMALIZERS: Readonly<Record<string, (sent: unknown, depth: number) => unknown>> = {
  nullValue: () => null,
  booleanValue: Boolean,
  integerValue: (sent) => {
    if (!/^-?\d+$/.test(String(sent))) return undefined;
    const integer = BigInt(sent as string);
    return BigInt.asIntN(64, integer) === integer ? String(integer) : undefined;
  },
  doubleValue: (sent) => {
    const double = Number(sent);
    if (Number.isNaN(double) && sent !== 'NaN') return undefined;
    return Number.isFinite(double) ? double : String(double);
  },
  timestampValue: (sent) => {
    const [, start = '', fraction = ''] = TIME.exec(String(sent)) ?? [];
    const milliseconds = Date.parse(`${start}Z`);
    return Number.isNaN(milliseconds)
      ? undefined
      : formatTimestamp(milliseconds, fraction.slice(0, 6));
  },
  stringValue: String,
  bytesValue: (sent) => Buffer.from(String(sent), 'base64').toString('base64'),
  referenceValue: (sent) => (DOCUMENT_NAME.test(String(sent)) ? sent : undefined),
  geoPointValue: (sent) => parseObject(sent, 'latitude', 'longitude'),
  arrayValue: (sent, depth) => {
    const values = parseArray(parseObject(sent, 'values').values).map((each) =>
      normalizeValue(each, depth + 1),
    );
    if (values.some(({ arrayValue }) => arrayValue)) return undefined;
    return values.length === 0 ? {} : { values };
  },
  mapValue: (sent, depth) =>
    omitEmptyFields(normalizeFields(parseObject(sent, 'fields').fields ?? {}, depth + 1)),
};

/** One value in its stored form; throws if the service refuses it. */
export function normalizeValue(sent: unknown, depth = 0): Value {
  const [[kind, value] = ['', undefined], ...others] = Object.entries(sent ?? {});
  const store = Object.hasOwn(NORMALIZERS, kind) ? NORMALIZERS[kind] : undefined;
  if (kind !== '' && store === undefined) throw unimplementedError(`values like ${kind}`);
  const isOne = others.length === 0 && depth <= MAX_DEPTH;
  const stored = isOne ? store?.(value, depth) : undefined;
  if (stored === undefined) throw invalidArgumentError(`Invalid ${kind}, or nested too deeply.`);
  return { [kind]: stored };
}

/** Fields in their stored form. */
export function normalizeFields(sent: unknown, depth = 0): Fields {
  if (typeof sent !== 'object' || sent === null) throw invalidArgumentError('Expected fields.');
  const fields = Object.entries(sent).map(([name, value]) => {
    const isName = name !== '' && !isReserved(name) && Buffer.byteLength(name) <= MAX_NAME_BYTES;
    if (!isName) throw invalidArgumentError(`Invalid or reserved name of a field: ${name}.`);
    return [name, normalizeValue(value, depth)] as const;
  });
  return Object.fromEntries(fields);
}

/** A map, or a document, with these fields as it is stored: without `fields` if there are none. */
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
