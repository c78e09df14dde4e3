import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { COLLECTIONS, type Collection, type Need } from './collections.ts';
import { withoutWrappers } from '../../functions/src/fields.ts';
import { typeName } from './fieldTypes.ts';

/** docs/data.md: every collection and field that the service uses. */
export function dataGuide(): string {
  return readFileSync('tools/data/guide.md', 'utf8').replace('{{collections}}', () =>
    [...COLLECTIONS.map(sectionOf), ...namedTypes().map(typeSectionOf)].join('\n\n'),
  );
}

function sectionOf(collection: Collection): string {
  const { path, purpose, documentId, needs, service, schema } = collection;
  return [
    `## \`${path}\``,
    '',
    `${purpose} The id of a document is ${lowerCaseFirst(documentId)} This service ${service}.`,
    '',
    ...writtenBy(collection),
    ...needs.map(needOf),
    '',
    ...tableOf(schema),
  ].join('\n');
}

/** Which fields the service writes, and by which operations. */
function writtenBy({ written }: Collection): string[] {
  const byOperations = Map.groupBy(Object.entries(written), ([, operations]) => operations);
  const parts = [...byOperations].map(([operations, entries]) => {
    const fields = entries.map(([field]) => `\`${field}\``).join(', ');
    return `${fields} by ${operations.replace(/[A-Z]+ \/[\w/-]+/g, '`$&`')}`;
  });
  return parts.length === 0 ? [] : [`- Written by this service: ${parts.join('; ')}.`];
}

function needOf({ field, type, only, otherwise }: Need): string {
  const without = type === undefined ? '' : `, or if it is not a ${typeName(type)}`;
  const which = only === undefined ? '' : ' (artists only)';
  return `- Without \`${field}\`${without}: ${otherwise}${which}.`;
}

/** The object types that have a name, and a table of their own. */
function namedTypes(): { readonly name: string; readonly schema: z.ZodObject }[] {
  const found = new Map<string, z.ZodObject>();
  const collect = (schema: z.ZodObject) => {
    for (const member of Object.values(schema.shape)) {
      const type = objectIn(member as z.ZodType);
      if (type === undefined) continue;
      const name = nameOf(type);
      if (name !== undefined) found.set(name, type);
      collect(type);
    }
  };
  for (const { schema } of COLLECTIONS) collect(schema);
  return [...found].map(([name, schema]) => ({ name, schema }));
}

function typeSectionOf({ name, schema }: ReturnType<typeof namedTypes>[number]): string {
  return [`## The map \`${name}\``, '', ...tableOf(schema)].join('\n');
}

function tableOf(schema: z.ZodObject): string[] {
  return ['| field | type | meaning |', '| --- | --- | --- |', ...rowsOf(schema, '')];
}

/** A row for each value: the fields of a map have rows, but not the map itself. */
function rowsOf(schema: z.ZodObject, path: string): string[] {
  return Object.entries(schema.shape).flatMap(([name, member]) => {
    if (path === '' && name === 'id') return [];
    const field = `${path}${name}`;
    const type = withoutWrappers(member as z.ZodType);
    const object = objectIn(type);
    const isList = type instanceof z.ZodArray;
    const named = object && nameOf(object);
    if (object !== undefined && named === undefined)
      return rowsOf(object, `${field}${isList ? '[]' : ''}.`);
    const meaning = shortened((member as z.ZodType).description ?? '');
    const plain = named === undefined ? typeName(type) : `${isList ? 'list of ' : ''}\`${named}\``;
    return [`| \`${field}\` | ${plain} | ${meaning} |`];
  });
}

/** The object that a value is, or of which it is a list. */
function objectIn(schema: z.core.$ZodType): z.ZodObject | undefined {
  const type = withoutWrappers(schema);
  const inner = type instanceof z.ZodArray ? withoutWrappers(type.element) : type;
  return inner instanceof z.ZodObject ? inner : undefined;
}

function nameOf(schema: z.ZodObject): string | undefined {
  return schema.meta()?.id;
}

function lowerCaseFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** A description as a cell of the table, whose type says already that a time is in ms. */
function shortened(description: string): string {
  return description
    .replace(/, in ms, UTC/, '')
    .replace(/^The (\w)/, (_, letter: string) => letter.toUpperCase());
}
