/**
 * Converts messages to and from JSON by the rules of protocol buffers (https://protobuf.dev/programming-guides/json).
 * Strict: throws whatever the service refuses. Google's own library reads `"x"` as the integer 0, and silently drops
 * unknown fields.
 */
import protobuf from 'protobufjs';
import type { Time } from './clock.ts';

/** Thrown if the JSON is not valid for the message type. */
export class MalformedJson extends Error {}

type Message = Readonly<Record<string, unknown>>;

const WRAPPER = /^\.google\.protobuf\.\w+Value$/;
const TIMESTAMP = '.google.protobuf.Timestamp';
const NULL_VALUE = '.google.protobuf.NullValue';

/** Converts JSON to a message, in the form in which gRPC delivers it. */
export function messageOf(type: protobuf.Type, json: unknown): object {
  if (type.fullName === TIMESTAMP) return timeOf(json);
  if (WRAPPER.test(type.fullName)) return { value: single(wrapped(type), json) };
  const message: [string, unknown][] = [];
  for (const [name, value] of Object.entries(objectOf(json))) {
    const field = type.fields[name];
    if (field === undefined) throw new MalformedJson(`${type.name} has no field ${name}.`);
    if (value === null && !isNullValue(field)) continue;
    message.push([name, fieldOf(field, value)]);
  }
  for (const { oneof } of type.oneofsArray) {
    if (message.filter(([name]) => oneof.includes(name)).length > 1) {
      throw new MalformedJson(`${type.name} allows only one of ${oneof.join()}.`);
    }
  }
  return Object.fromEntries(message);
}

/** Converts a message to JSON. */
export function jsonOf(type: protobuf.Type, message: object): unknown {
  if (type.fullName === TIMESTAMP) return textOfTime(message);
  const values = message as Message;
  if (WRAPPER.test(type.fullName)) return jsonOfSingle(wrapped(type), values.value);
  const json: [string, unknown][] = [];
  for (const field of type.fieldsArray) {
    const value = values[field.name];
    if (value === undefined || value === null) continue;
    if (field.partOf === null && isDefault(field, value)) continue;
    json.push([field.name, jsonOfField(field, value)]);
  }
  return Object.fromEntries(json);
}

function fieldOf(field: protobuf.Field, json: unknown): unknown {
  if (field instanceof protobuf.MapField) {
    return Object.fromEntries(
      Object.entries(objectOf(json)).map(([key, value]) => [key, single(field, value)]),
    );
  }
  if (!field.repeated) return single(field, json);
  if (!Array.isArray(json)) throw new MalformedJson(`${field.name} must be a list.`);
  return json.map((element: unknown) => single(field, element));
}

function jsonOfField(field: protobuf.Field, value: unknown): unknown {
  if (field instanceof protobuf.MapField) {
    return Object.fromEntries(
      Object.entries(value as Message).map(([key, each]) => [key, jsonOfSingle(field, each)]),
    );
  }
  if (!field.repeated) return jsonOfSingle(field, value);
  return (value as readonly unknown[]).map((element) => jsonOfSingle(field, element));
}

function single(field: protobuf.Field, json: unknown): unknown {
  const { resolvedType } = field.resolve();
  if (resolvedType instanceof protobuf.Enum) return enumOf(resolvedType, json);
  if (resolvedType instanceof protobuf.Type) return messageOf(resolvedType, json);
  switch (field.type) {
    case 'string':
      return requireKind('string', json);
    case 'bool':
      return requireKind('boolean', json);
    case 'bytes':
      return bytesOf(json);
    case 'double':
    case 'float':
      return doubleOf(json);
    case 'int64':
      return String(integerOf(json, 64));
    default:
      return Number(integerOf(json, 32));
  }
}

function jsonOfSingle(field: protobuf.Field, value: unknown): unknown {
  const { resolvedType } = field.resolve();
  if (isNullValue(field)) return null;
  if (resolvedType instanceof protobuf.Enum) return value;
  if (resolvedType instanceof protobuf.Type) return jsonOf(resolvedType, value as object);
  switch (field.type) {
    case 'bytes':
      return Buffer.from(value as Uint8Array).toString('base64');
    case 'double':
    case 'float':
      return jsonOfDouble(value as number);
    case 'int64':
      return String(value);
    default:
      return value;
  }
}

function jsonOfDouble(double: number): unknown {
  if (!Number.isFinite(double)) return String(double);
  // `JSON.stringify` drops the sign of a negative zero. TypeScript does not declare `rawJSON` yet.
  return Object.is(double, -0)
    ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('-0')
    : double;
}

function enumOf({ values, fullName }: protobuf.Enum, json: unknown): string {
  if (fullName === NULL_VALUE && json === null) return 'NULL_VALUE';
  const name = Object.keys(values).find((each) => each === json || values[each] === json);
  if (name === undefined) throw new MalformedJson(`${String(json)} is not a ${fullName}.`);
  return name;
}

function integerOf(json: unknown, bits: number): bigint {
  const text = typeof json === 'number' ? numeral(json) : json;
  if (typeof text !== 'string' || !/^-?\d+$/.test(text)) throw new MalformedJson('Not an integer.');
  const integer = BigInt(text);
  if (BigInt.asIntN(bits, integer) !== integer) throw new MalformedJson('Integer out of range.');
  return integer;
}

function numeral(number: number): string {
  return Number.isInteger(number) ? String(BigInt(number)) : String(number);
}

function doubleOf(json: unknown): number {
  if (typeof json === 'number') return json;
  if (typeof json === 'string' && /^(NaN|-?(Infinity|\d+(\.\d+)?([eE][+-]?\d+)?))$/.test(json)) {
    return Number(json);
  }
  throw new MalformedJson('Not a number.');
}

function bytesOf(json: unknown): Buffer {
  const text = requireKind('string', json) as string;
  if (!/^[\w+/-]*={0,2}$/.test(text)) throw new MalformedJson('Not base64.');
  return Buffer.from(text, 'base64');
}

function timeOf(json: unknown): Time {
  const text = requireKind('string', json) as string;
  const [, start, fraction = '', offset] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const milliseconds = Date.parse(`${start ?? ''}${offset ?? ''}`);
  if (Number.isNaN(milliseconds)) throw new MalformedJson('Not a time of RFC 3339.');
  return { seconds: String(milliseconds / 1000), nanos: Number(fraction.padEnd(9, '0')) };
}

/** With as few of 0, 3, 6 or 9 fractional digits as possible. */
function textOfTime({ seconds, nanos }: Time): string {
  const start = new Date(Number(seconds ?? 0) * 1000).toISOString().slice(0, 19);
  const fraction = String(nanos ?? 0)
    .padStart(9, '0')
    .replace(/(000){1,3}$/, '');
  return `${start}${fraction === '' ? '' : `.${fraction}`}Z`;
}

function isNullValue(field: protobuf.Field): boolean {
  return field.resolve().resolvedType?.fullName === NULL_VALUE;
}

/** Whether JSON omits the field because it has its default value. */
function isDefault(field: protobuf.Field, value: unknown): boolean {
  if (field.repeated) return (value as readonly unknown[]).length === 0;
  if (field instanceof protobuf.MapField) return Object.keys(value as Message).length === 0;
  return value === 0 || value === '' || value === false;
}

function wrapped(type: protobuf.Type): protobuf.Field {
  const { value } = type.fields;
  if (value === undefined) throw new Error(`${type.fullName} has no wrapped value.`);
  return value;
}

function objectOf(json: unknown): Message {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new MalformedJson('Not an object.');
  }
  return json as Message;
}

function requireKind(kind: 'string' | 'boolean', json: unknown): unknown {
  if (typeof json !== kind) throw new MalformedJson(`Not a ${kind}.`);
  return json;
}
