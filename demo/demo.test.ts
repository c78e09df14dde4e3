import { readdirSync } from 'node:fs';
import * as z from 'zod';
import { isDocumentId, unwrapSchema } from '@tattoo-marketplace/endpoints';
import { COLLECTIONS } from '../functions/service.ts';
import { containsDocument, collectionIdOf } from '@tattoo-marketplace/collections';
import { exampleDocument } from './exampleDocuments.ts';
import { isTypedValue, type DocumentData } from '@tattoo-marketplace/firestore-embedded';
import { demoDocuments } from './documents.ts';

interface Session {
  readonly sessionNumber: number;
  readonly startTime: number;
  readonly status: string;
}

const NOW = Date.UTC(2030, 0, 15, 12);
const HOUR = 3_600_000;

/** The documents of a collection by path; `messages` means those of all conversations. */
function collection(name: string, now = NOW): Map<string, DocumentData> {
  return new Map(
    demoDocuments(now)
      .filter(([path]) => path.split('/').at(-2) === name)
      .map(([path, data]) => [path, inMs(data) as DocumentData]),
  );
}

/** The data as read by the service, with times in ms. */
function inMs(value: unknown): unknown {
  if (isTypedValue(value)) return Date.parse(String(value.timestampValue));
  if (Array.isArray(value)) return value.map(inMs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inMs(member)]));
}

/** The fields of a schema, and of the maps and lists in it, that have no value. */
function lacking(schema: z.core.$ZodType, value: unknown, path: string): string[] {
  const type = unwrapSchema(schema);
  if (value === undefined || value === null) return [path];
  if (type instanceof z.ZodArray)
    return lacking(type.element, (value as unknown[])[0], `${path}[]`);
  if (!(type instanceof z.ZodObject)) return [];
  return Object.entries<z.core.$ZodType>(type.shape).flatMap(([name, member]) =>
    lacking(member, (value as DocumentData)[name], path === '' ? name : `${path}.${name}`),
  );
}

describe('the demo data', () => {
  const collections = COLLECTIONS.map((each) => [collectionIdOf(each), each] as const);

  test.each(collections)('fits the schema in %s, and has valid ids', (name, { schema }) => {
    const faults = [...collection(name)].flatMap(([path, data]) => {
      const id = path.split('/').at(-1) ?? '';
      const { error } = schema.safeParse({ ...data, id });
      return error || !isDocumentId(id) ? [{ id, issues: error?.issues }] : [];
    });

    expect(faults).toEqual([]);
  });

  test.each(collections)('begins with a document of %s that has all fields', (name, { schema }) => {
    const [path, data] = exampleDocument(name);
    const [file] = path.split('/');
    const what = `In demo/data/${file}.json, ${path} lacks`;

    expect({ [what]: lacking(schema, { ...data, id: path }, '') }).toEqual({ [what]: [] });
  });

  test('has only documents of declared collections', () => {
    const unknown = demoDocuments().filter(
      ([path]) => !COLLECTIONS.some((each) => containsDocument(each, path)),
    );

    expect(unknown).toEqual([]);
  });

  test('refers only to users that there are', () => {
    const named = JSON.stringify(demoDocuments()).match(/(?<=")(artist|client|studio)-[^"]+/g);
    const users = [...collection('users').keys()].map((path) => path.replace('users/', ''));

    expect(users).toEqual(expect.arrayContaining(named ?? []));
  });

  test('names exactly the pictures that there are', () => {
    const named = JSON.stringify(demoDocuments()).match(/(?<=\/demo\/pictures\/)[^"]+/g);

    expect([...new Set(named)].sort()).toEqual(readdirSync('demo/app/pictures').sort());
  });

  test.each(['flash', 'gallery'])('says in the captions of %s what is drawn', (name) => {
    const unsaid = [...collection(name)].flatMap(([path, data]) => {
      const { caption } = data.sourceData as { readonly caption: string };
      const [, drawn = ''] = /pictures\/(.+?)(-tattoo)?\.svg/.exec(JSON.stringify(data)) ?? [];
      const isSaid = caption.toLowerCase().includes(drawn.replaceAll('-', ' '));
      return drawn !== '' && isSaid ? [] : [[path, caption, drawn]];
    });

    expect(unsaid).toEqual([]);
  });

  test.each([0, 1, 47, 90, 167])(
    'has completed sessions and recorded times in the past, and all other sessions in the future: %i hours later',
    (hours) => {
      const now = NOW + hours * HOUR;
      for (const { sessions } of collection('bookings', now).values()) {
        (sessions as Session[]).forEach(({ sessionNumber, status, startTime }, index) => {
          expect([sessionNumber, startTime < now]).toEqual([index + 1, status === 'completed']);
        });
      }
      const recorded = demoDocuments(now).flatMap(([path, data]) =>
        ['createdAt', 'updatedAt', 'uploadedAt', 'timestamp'].flatMap((field) =>
          field in data && !(Number(inMs(data[field])) <= now) ? [[path, field]] : [],
        ),
      );
      expect(recorded).toEqual([]);
    },
  );
});
