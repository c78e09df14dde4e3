/** The types of fields, and of stored values, in words. */
import * as z from 'zod';
import { times } from '@tattoo-marketplace/collections';
import { withoutWrappers } from '@tattoo-marketplace/endpoints';
import type { Value } from '@tattoo-marketplace/firestore-rest';

/** The type of a schema in words. */
export function typeName(schema: z.core.$ZodType): string {
  const type = withoutWrappers(schema);
  if (type instanceof z.ZodObject) return 'map';
  if (type instanceof z.ZodArray) {
    const element = typeName(type.element);
    return element === 'text' || element === 'map' ? `list of ${element}s` : 'list';
  }
  if (type instanceof z.ZodEnum) return `one of ${type.options.map(String).join(', ')}`;
  if (type instanceof z.ZodString) return 'text';
  if (type instanceof z.ZodBoolean) return 'boolean';
  if (times.get(type)) return 'time';
  return type instanceof z.ZodNumberFormat ? 'integer' : 'number';
}

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
  stringValue: 'text',
};
