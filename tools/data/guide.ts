import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { StoredNames } from '../../functions/src/documents/storedNames.ts';
import { withoutWrappers } from '../../functions/src/fields.ts';
import { withPart } from '../docs/generatedPart.ts';
import { COLLECTIONS, type Collection } from './collections.ts';
import { typeName } from './fieldTypes.ts';

const BEGIN = '<!-- collections: written by npm run openapi -->';
const END = '<!-- end of the collections -->';

/** docs/data.md with every collection and field that the service uses. */
export function dataGuide(): string {
  const text = readFileSync('docs/data.md', 'utf8');
  return withPart(text, BEGIN, END, `\n\n${COLLECTIONS.map(sectionOf).join('\n\n')}\n\n`);
}

/** What docs/data.md says of a collection, by the names under which its fields are stored. */
export function sectionOf({ path, purpose, schema, needs, written }: Collection): string {
  const names = new StoredNames(schema);
  const quoted = (field: string) => `\`${names.pathOf(field)}\``;
  const required = [...Map.groupBy(needs, ({ otherwise }) => otherwise)].map(
    ([otherwise, same]) => {
      const fields = same.map(({ field, only }) => `${quoted(field)}${only ? ' (artists)' : ''}`);
      return `${fields.join(', ')}; otherwise ${otherwise}`;
    },
  );
  const writes = Object.entries(written).map(
    ([operation, fields]) => `${fields.map(quoted).join(', ')} by \`${operation}\``,
  );
  const renamed = Object.keys(schema.shape).flatMap((field) => {
    const [name, ...older] = names.of(field);
    const before = older.map((each) => `, before as \`${each}\``).join('');
    return name === field ? [] : [`\`${field}\` of the API is stored as \`${name}\`${before}`];
  });
  return [
    `## \`${path}\``,
    purpose,
    `**Required:** ${required.join('. ')}.`,
    ...(writes.length === 0 ? [] : [`**Written by this service:** ${writes.join('; ')}.`]),
    ...(renamed.length === 0 ? [] : [`**Renamed:** ${renamed.join('; ')}. ${OLDER_NAMES}`]),
    linesOf(schema, '', names).join('\n'),
  ].join('\n\n');
}

const OLDER_NAMES =
  'Older names are read too, except where a list requires the field: `npm run check:data` names the command that renames it.';

/** A line for each value: the fields of a map have lines, but not the map itself. */
function linesOf(schema: z.ZodObject, path: string, names?: StoredNames): string[] {
  return Object.entries<z.ZodType>(schema.shape).flatMap(([name, member]) => {
    if (path === '' && name === 'id') return [];
    const field = `${path}${names?.pathOf(name) ?? name}`;
    const type = withoutWrappers(member);
    const inner = type instanceof z.ZodArray ? withoutWrappers(type.element) : type;
    if (inner instanceof z.ZodObject && Object.keys(inner.shape).length > 0)
      return linesOf(inner, `${field}${inner === type ? '' : '[]'}.`);
    return [`- \`${field}\` (${typeName(type)}): ${meaningOf(member)}`];
  });
}

/** The description of a field beside its type, which says already that a time is in ms. */
function meaningOf({ description = '' }: z.ZodType): string {
  return description
    .replace(/, in ms, UTC/, '')
    .replace(/^The (\w)/, (_, letter: string) => letter.toUpperCase());
}
