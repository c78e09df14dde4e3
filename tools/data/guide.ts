import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { COLLECTIONS, type Collection, type Need } from './collections.ts';
import { typeName, withoutWrappers } from './fieldTypes.ts';

/** docs/data.md: every collection and field that the service uses. */
export function dataGuide(): string {
  return readFileSync('tools/data/guide.md', 'utf8')
    .replace('{{collections}}', () => COLLECTIONS.map(sectionOf).join('\n\n'))
    .replace('{{rules}}', () => readFileSync('tools/data/direct.rules', 'utf8').trim());
}

function sectionOf(collection: Collection): string {
  const { path, purpose, documentId, needs, service, example, schema } = collection;
  return [
    `## \`${path}\``,
    `${purpose} The id of a document: ${documentId.charAt(0).toLowerCase()}${documentId.slice(1)} This service ${service}.`,
    ...needs.map(needOf),
    '',
    '| field | type | meaning | this service writes it |',
    '| --- | --- | --- | --- |',
    ...rowsOf(schema, '', collection),
    '',
    '<details><summary>Example</summary>',
    '',
    '```json',
    JSON.stringify(example),
    '```',
    '',
    '</details>',
  ].join('\n');
}

function needOf({ field, type, only, otherwise }: Need): string {
  const without = type === undefined ? '' : `, or with another type than ${typeName(type)}`;
  const which = only === undefined ? '' : ' (artists only)';
  return `- Without \`${field}\`${without}: ${otherwise}${which}.`;
}

function rowsOf(schema: z.ZodObject, path: string, collection: Collection): string[] {
  return Object.entries(schema.shape).flatMap(([name, member]) => {
    if (path === '' && name === 'id') return [];
    const field = `${path}${name}`;
    const type = withoutWrappers(member as z.ZodType);
    const { description = '' } = member as z.ZodType;
    const written = collection.written[field];
    const row = `| \`${field}\` | ${typeName(type)} | ${description} | ${written === undefined ? '' : operations(written)} |`;
    const element = type instanceof z.ZodArray ? withoutWrappers(type.element as z.ZodType) : type;
    const inner = type instanceof z.ZodArray ? `${field}[].` : `${field}.`;
    return [row, ...(element instanceof z.ZodObject ? rowsOf(element, inner, collection) : [])];
  });
}

function operations(text: string): string {
  return text.replace(/[A-Z]+ \/[\w/-]+/g, '`$&`');
}
