import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { COLLECTIONS, type Collection } from './collections.ts';
import { withoutWrappers } from '../../functions/src/fields.ts';
import { withPart } from '../docs/generatedPart.ts';
import { typeName } from './fieldTypes.ts';

/** Fields whose name says what they mean: their descriptions are left out. */
const SELF_EXPLANATORY = new Set(
  `
  artistName artistUsername bookmarkCount bookingUpdates caption city connectedAt content country createdAt
  customBookingType customBookingUrl email firstName homeLocation isEmailVerified isVerified isVisible lastName
  newNotificationsCount newRequests notes originalFileName payments phoneNumber preferredStyles
  sessionNumber startTime studioLocation studioName studioStyles tags thumbnailUrl updatedAt uploadedAt
  userType viewCount
  `
    .trim()
    .split(/\s+/),
);

const BEGIN = '<!-- collections: written by npm run openapi -->';
const END = '<!-- end of the collections -->';

/** docs/data.md with every collection and field that the service uses. */
export function dataGuide(): string {
  const sections = [...COLLECTIONS.map(sectionOf), ...namedTypes().map(typeSectionOf)];
  const text = readFileSync('docs/data.md', 'utf8');
  return withPart(text, BEGIN, END, `\n\n${sections.join('\n\n')}\n\n`);
}

function sectionOf(collection: Collection): string {
  const { path, purpose, schema } = collection;
  const facts = [purpose, ...requiredIn(collection), ...writtenIn(collection)];
  return [`## \`${path}\``, ...facts, fieldsOf(schema)].join('\n\n');
}

/** Which fields the service writes, and by which operations. */
function writtenIn({ written }: Collection): string[] {
  const byOperations = Map.groupBy(Object.entries(written), ([, operations]) => operations);
  const parts = [...byOperations].map(([operations, entries]) => {
    const fields = entries.map(([field]) => `\`${field}\``).join(', ');
    return `${fields} by ${operations.replace(/[A-Z]+ \/[\w/-]+/g, '`$&`')}`;
  });
  return parts.length === 0 ? [] : [`**Written by this service:** ${parts.join('; ')}.`];
}

/** Which fields a document needs, and what happens without them. */
function requiredIn({ needs }: Collection): string[] {
  const byConsequence = Map.groupBy(needs, ({ otherwise }) => otherwise);
  const parts = [...byConsequence].map(([otherwise, same]) => {
    const fields = same.map(({ field, only }) => `\`${field}\`${only ? ' (artists)' : ''}`);
    return `${fields.join(', ')}; otherwise ${otherwise}`;
  });
  return [`**Required:** ${parts.join('. ')}.`];
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
  return [`## The map \`${name}\``, fieldsOf(schema)].join('\n\n');
}

function fieldsOf(schema: z.ZodObject): string {
  return linesOf(schema, '').join('\n');
}

/** A line for each value: the fields of a map have lines, but not the map itself. */
function linesOf(schema: z.ZodObject, path: string): string[] {
  return Object.entries(schema.shape).flatMap(([name, member]) => {
    if (path === '' && name === 'id') return [];
    const field = `${path}${name}`;
    const type = withoutWrappers(member as z.ZodType);
    const object = objectIn(type);
    const isList = type instanceof z.ZodArray;
    const named = object && nameOf(object);
    if (object !== undefined && named === undefined)
      return linesOf(object, `${field}${isList ? '[]' : ''}.`);
    const meaning = shortened((member as z.ZodType).description ?? '');
    const plain = named === undefined ? typeName(type) : `${isList ? 'list of ' : ''}\`${named}\``;
    return [`- \`${field}\` (${plain})${SELF_EXPLANATORY.has(name) ? '' : `: ${meaning}`}`];
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

/** A description beside the type, which says already that a time is in ms. */
function shortened(description: string): string {
  return description
    .replace(/, in ms, UTC/, '')
    .replace(/^The (\w)/, (_, letter: string) => letter.toUpperCase());
}
