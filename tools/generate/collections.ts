import * as z from 'zod';
import { type CollectionDeclaration, timeSchemas } from '@tattoo-marketplace/collections';
import { unwrapSchema } from '@tattoo-marketplace/endpoints';
import { withPart } from '../docs/generatedPart.ts';
import { COLLECTIONS } from '../../functions/service.ts';
import { needsOf } from '../data/needs.ts';

const BEGIN = '<!-- collections: written by npm run generate -->';
const END = '<!-- end of the collections -->';

/** docs/data.md with every collection and field that the service uses. */
export function withCollections(file: string): string {
  return withPart(file, BEGIN, END, `\n\n${COLLECTIONS.map(sectionOf).join('\n\n')}\n\n`);
}

/** What docs/data.md says of a collection. */
function sectionOf(collection: CollectionDeclaration): string {
  const { path, description, schema } = collection;
  const fields = [...Map.groupBy(valuesOf(schema, ''), ({ type }) => type)].map(
    ([type, same]) => `- ${type}: ${same.map((each) => `\`${each.path}\``).join(', ')}`,
  );
  const required = [...Map.groupBy(needsOf(collection), ({ otherwise }) => otherwise)].map(
    ([otherwise, same]) => {
      const needed = same.map(({ field, only = {} }) => {
        const kinds = Object.entries(only).map(([name, kind]) => `\`${name}\` is \`${kind}\``);
        return `\`${field}\`${kinds.length === 0 ? '' : ` (where ${kinds.join(' and ')})`}`;
      });
      return `${[...new Set(needed)].join(', ')}; otherwise ${otherwise}`;
    },
  );
  return [
    `## \`${path}\``,
    description,
    ...(required.length === 0 ? [] : [`**Required:** ${required.join('. ')}.`]),
    fields.join('\n'),
  ].join('\n\n');
}

function valuesOf(
  schema: z.ZodObject,
  before: string,
): { readonly path: string; readonly type: string }[] {
  return Object.entries<z.ZodType>(schema.shape).flatMap(([name, member]) => {
    if (before === '' && name === 'id') return [];
    const path = `${before}${name}`;
    const type = unwrapSchema(member);
    const inner = type instanceof z.ZodArray ? unwrapSchema(type.element) : type;
    return inner instanceof z.ZodObject && Object.keys(inner.shape).length > 0
      ? valuesOf(inner, `${path}${inner === type ? '' : '[]'}.`)
      : [{ path, type: typeName(type) }];
  });
}

/** The type of a schema in words. */
export function typeName(schema: z.core.$ZodType): string {
  const type = unwrapSchema(schema);
  if (type instanceof z.ZodObject) return 'map';
  if (type instanceof z.ZodArray) {
    const element = typeName(type.element);
    return element === 'text' || element === 'map' ? `list of ${element}s` : 'list';
  }
  if (type instanceof z.ZodEnum) return `one of ${type.options.map(String).join(', ')}`;
  if (type instanceof z.ZodString) return 'text';
  if (type instanceof z.ZodBoolean) return 'boolean';
  if (timeSchemas.get(type)) return 'time';
  return type instanceof z.ZodNumberFormat ? 'integer' : 'number';
}
