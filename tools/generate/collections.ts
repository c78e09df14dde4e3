/** Generates the reference of stored fields in docs/data.md. */
import * as z from 'zod';
import { type Collection, timeSchemas } from '@tattoo-marketplace/collections';
import { unwrapSchema } from '@tattoo-marketplace/endpoints';
import { replaceBetween } from './replaceBetween.ts';
import { COLLECTIONS } from '../../functions/service.ts';
import { getFieldRequirements, type FieldRequirement } from '../data/requirements.ts';

const BEGIN = '<!-- collections: written by npm run generate -->';
const END = '<!-- end of the collections -->';

/** A row of a table of fields. */
interface FieldRow {
  /** `artistInfo.links[].url` */
  readonly path: string;
  /** `text`, `text[]` */
  readonly type: string;
  /** The value that responses have if the field is missing: `true`. */
  readonly defaultValue?: string;
  readonly meaning: string;
}

/** Updates the text of docs/data.md with every collection and field that the service uses. */
export function updateCollections(text: string): string {
  const sections = [
    ...COLLECTIONS.map(describeCollection),
    ...listSharedSchemas().map(describeShared),
  ];
  return replaceBetween(text, BEGIN, END, `\n\n${sections.join('\n\n')}\n\n`);
}

function describeCollection(collection: Collection): string {
  const { path, description, schema } = collection;
  const requirements = Map.groupBy(getFieldRequirements(collection), ({ field }) => field);
  const rows = listFieldRows(schema).map((row) => [
    `\`${row.path}\``,
    row.type,
    row.defaultValue ?? describeRequirements(requirements.get(row.path) ?? []),
    row.meaning,
  ]);
  const table = formatTable(['field', 'type', 'if missing', 'meaning'], rows);
  return [`### \`${path}\``, description, table].join('\n\n');
}

/** Describes a schema that several fields share, such as a place. */
function describeShared([name, schema]: readonly [string, z.ZodObject]): string {
  const rows = listFieldRows(schema).map((row) => [`\`${row.path}\``, row.type, row.meaning]);
  return [`### ${name}`, formatTable(['field', 'type', 'meaning'], rows)].join('\n\n');
}

/** Formats a table without padding: a change of one row then changes one line of the file. */
function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => '---'), ...rows].map((cells) => `|${cells.join('|')}|`);
  return lines.join('\n');
}

/** Describes the consequence of a missing field, and its condition: `in no list, if userType is artist`. */
function describeRequirements(requirements: readonly FieldRequirement[]): string {
  const conditions = requirements.flatMap(({ appliesWhen = {} }) => Object.entries(appliesWhen));
  const phrases = conditions.map(([field, value]) => `if \`${field}\` is ${value}`);
  const consequences = new Set(requirements.map(({ consequence }) => consequence));
  return [[...consequences].join(', and '), phrases.join(' and ')].filter(Boolean).join(', ');
}

/** Lists the fields of a schema and of its maps. Throws if a field has no description. */
function listFieldRows(schema: z.ZodObject, parent = ''): FieldRow[] {
  return Object.entries<z.ZodType>(schema.shape).flatMap(([name, member]) => {
    if (parent === '' && name === 'id') return [];
    const path = `${parent}${name}`;
    const type = unwrapSchema(member);
    const item = type instanceof z.ZodArray ? unwrapSchema(type.element) : type;
    const isInlineMap = isObjectSchema(item) && getSharedName(item) === undefined;
    if (isInlineMap && item === type) return listFieldRows(item, `${path}.`);
    const { description } = member;
    if (description === undefined) {
      throw new Error(`The stored field ${path} has no description: add it to the schema.`);
    }
    const row = {
      path,
      type: type instanceof z.ZodArray ? `${formatType(item)}[]` : formatType(type),
      ...(member instanceof z.ZodDefault && {
        defaultValue: JSON.stringify(member.def.defaultValue),
      }),
      meaning: toCellText(description),
    };
    return isInlineMap ? [row, ...listFieldRows(item, `${path}[].`)] : [row];
  });
}

/**
 * Shortens a description to a phrase: `The end, in ms, UTC. May be …` → `end`, `True if it is public.` → `it is public`. The
 * type column shows which fields are times or booleans.
 */
function toCellText(description: string): string {
  const [sentence = ''] = description.split(/\.(?: |$)/);
  const text = sentence.replace(', in ms, UTC', '').replace(/^(?:The|A|True if) /, '');
  return text.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
}

function isObjectSchema(schema: unknown): schema is z.ZodObject {
  return schema instanceof z.ZodObject && Object.keys(schema.shape).length > 0;
}

/** Lists the schemas of maps that have a name. */
function listSharedSchemas(): readonly (readonly [string, z.ZodObject])[] {
  const schemas = new Map<string, z.ZodObject>();
  const collect = (schema: z.ZodObject) => {
    for (const member of Object.values<z.ZodType>(schema.shape)) {
      const type = unwrapSchema(member);
      const item = type instanceof z.ZodArray ? unwrapSchema(type.element) : type;
      if (!isObjectSchema(item)) continue;
      const name = getSharedName(item);
      if (name !== undefined) schemas.set(name, item);
      collect(item);
    }
  };
  COLLECTIONS.forEach(({ schema }) => {
    collect(schema);
  });
  return [...schemas];
}

function getSharedName(schema: z.core.$ZodType): string | undefined {
  return schema instanceof z.ZodObject ? schema.meta()?.id : undefined;
}

/** Returns the type of a schema in words. */
export function formatType(schema: z.core.$ZodType): string {
  const type = unwrapSchema(schema);
  if (type instanceof z.ZodObject) return getSharedName(type) ?? 'map';
  if (type instanceof z.ZodArray) {
    const item = formatType(type.element);
    return ['text', 'map'].includes(item) ? `list of ${item}s` : `list of ${item}`;
  }
  if (type instanceof z.ZodEnum) return `one of ${type.options.map(String).join(', ')}`;
  if (type instanceof z.ZodString) return 'text';
  if (type instanceof z.ZodBoolean) return 'boolean';
  if (timeSchemas.get(type)) return 'time';
  return type instanceof z.ZodNumberFormat ? 'integer' : 'number';
}
