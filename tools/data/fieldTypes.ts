/** Compares stored values with the types of a schema, by the rules of `functions/src/documents/documentReader.ts`. */
import * as z from 'zod';
import { MAX_TIME, times, withoutWrappers } from '../../functions/src/fields.ts';
import { elementsOf, type Fields, type Value } from '@tattoo-marketplace/firestore-rest';

/** A type that differs from the schema's. `field` is a path such as `artistInfo.links[].order`. */
export type OnWrongType = (field: string, expected: string, found: string) => void;

/** Reports each value of an object that has another type than its schema. A missing value or null has none. */
export function compareTypes(
  schema: z.ZodObject,
  fields: Fields,
  onWrong: OnWrongType,
  path = '',
): void {
  for (const [name, member] of Object.entries(schema.shape)) {
    const value = fields[name];
    if (value !== undefined && (path !== '' || name !== 'id')) {
      compareType(
        member as z.core.$ZodType,
        value,
        onWrong,
        path === '' ? name : `${path}.${name}`,
      );
    }
  }
}

function compareType(
  schema: z.core.$ZodType,
  value: Value,
  onWrong: OnWrongType,
  path: string,
): void {
  const type = withoutWrappers(schema);
  if (hasType(type, value)) {
    if (type instanceof z.ZodObject) {
      compareTypes(type, value.mapValue?.fields ?? {}, onWrong, path);
    }
    if (type instanceof z.ZodArray) {
      const { element } = type;
      elementsOf(value).forEach((one) => {
        compareType(element, one, onWrong, `${path}[]`);
      });
    }
  } else {
    onWrong(path, typeName(type), kindOf(value));
  }
}

/** Whether a stored value has the type of a schema; its members are not compared. */
export function hasType(schema: z.core.$ZodType, value: Value): boolean {
  if (isNothing(value)) return true;
  const { stringValue, booleanValue, timestampValue, arrayValue, mapValue } = value;
  const number = Number(value.integerValue ?? value.doubleValue);
  const type = withoutWrappers(schema);
  if (type instanceof z.ZodUnknown) return true;
  if (type instanceof z.ZodObject || type instanceof z.ZodRecord) return mapValue !== undefined;
  if (type instanceof z.ZodArray) return arrayValue !== undefined;
  if (type instanceof z.ZodEnum) return type.options.includes(stringValue ?? '');
  if (type instanceof z.ZodString) return stringValue !== undefined;
  if (type instanceof z.ZodBoolean) return booleanValue !== undefined;
  if (isTime(type)) return timestampValue !== undefined || Math.abs(number) <= MAX_TIME;
  if (type instanceof z.ZodNumberFormat) return Number.isSafeInteger(number);
  return !Number.isNaN(number);
}

/** Whether a value counts as missing. */
export function isNothing({ nullValue, doubleValue }: Value): boolean {
  return nullValue !== undefined || typeof doubleValue === 'string';
}

/** The type of a schema in words. */
export function typeName(schema: z.core.$ZodType): string {
  const type = withoutWrappers(schema);
  if (type instanceof z.ZodObject || type instanceof z.ZodRecord) return 'map';
  if (type instanceof z.ZodArray) {
    const elements = PLURALS[typeName(type.element)];
    return elements === undefined ? 'list' : `list of ${elements}`;
  }
  if (type instanceof z.ZodEnum) return `one of ${type.options.map(String).join(', ')}`;
  if (type instanceof z.ZodString) return 'text';
  if (type instanceof z.ZodBoolean) return 'boolean';
  if (isTime(type)) return 'time';
  if (type instanceof z.ZodNumberFormat) return 'integer';
  return type instanceof z.ZodNumber ? 'number' : 'any';
}

const PLURALS: Readonly<Record<string, string>> = { map: 'maps', text: 'texts' };

/** The kind of a stored value in words. */
export function kindOf(value: Value): string {
  const [name = 'nothing'] = Object.keys(value);
  return KINDS[name] ?? name.replace(/Value$/, '');
}

const KINDS: Readonly<Record<string, string>> = {
  arrayValue: 'list',
  doubleValue: 'number',
  geoPointValue: 'geo point',
  integerValue: 'number',
  nullValue: 'null',
  stringValue: 'text',
};

function isTime(type: z.core.$ZodType): boolean {
  return times.has(type);
}
