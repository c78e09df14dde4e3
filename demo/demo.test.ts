/** Tests that the demo data is complete, consistent, and independent of the current week. */
import { readdirSync } from 'node:fs';
import * as z from 'zod';
import { isDocumentId, unwrapSchema } from '@tattoo-marketplace/endpoints';
import { containsDocument } from '@tattoo-marketplace/collections';
import { isRestValue, type DocumentData } from '@tattoo-marketplace/firestore-embedded';
import { COLLECTIONS } from '../functions/service.ts';
import { expectEqual } from '../test/support/jest/expectEqual.ts';
import { getExampleDocument } from '../test/support/requests/exampleDocuments.ts';
import { readDemoDocuments } from './documents.ts';

interface Session {
  readonly sessionNumber: number;
  readonly startTime: number;
  readonly status: string;
}

const NOW = Date.UTC(2030, 0, 15, 12);
const HOUR = 3_600_000;

/** Reads the demo documents of a collection (`conversations/{conversationId}/messages`) by path. */
function readCollection(collectionPath: string, now = NOW): Map<string, DocumentData> {
  return new Map(
    readDemoDocuments(now)
      .filter(([path]) => containsDocument({ path: collectionPath }, path))
      .map(([path, data]) => [path, convertTimesToMs(data) as DocumentData]),
  );
}

/** Converts times in data to ms, as the service does. */
function convertTimesToMs(value: unknown): unknown {
  if (isRestValue(value)) return Date.parse(String(value.timestampValue));
  if (Array.isArray(value)) return value.map(convertTimesToMs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, convertTimesToMs(member)]),
  );
}

/** Finds the fields of a schema, and of its maps and lists, that have no value. */
function findMissingFields(schema: z.core.$ZodType, value: unknown, path: string): string[] {
  const type = unwrapSchema(schema);
  if (value === undefined || value === null) return [path];
  if (type instanceof z.ZodArray)
    return findMissingFields(type.element, (value as unknown[])[0], `${path}[]`);
  if (!(type instanceof z.ZodObject)) return [];
  return Object.entries<z.core.$ZodType>(type.shape).flatMap(([name, member]) =>
    findMissingFields(
      member,
      (value as DocumentData)[name],
      path === '' ? name : `${path}.${name}`,
    ),
  );
}

describe('the demo data', () => {
  test.each(COLLECTIONS)('fits the schema of $path and has valid ids', ({ path, schema }) => {
    const invalid = [...readCollection(path)].flatMap(([documentPath, data]) => {
      const id = documentPath.split('/').at(-1) ?? '';
      const { error } = schema.safeParse({ ...data, id });
      return error || !isDocumentId(id) ? [{ id, issues: error?.issues }] : [];
    });

    expect(invalid).toEqual([]);
  });

  test.each(COLLECTIONS)('begins with a document of $path that has all fields', (collection) => {
    const [path, data] = getExampleDocument(collection.path);
    const [file] = path.split('/');
    const missing = findMissingFields(collection.schema, { ...data, id: path }, '');

    const label = `Fields that ${path} in demo/data/${file}.json lacks`;
    expectEqual(label, missing, []);
  });

  test('has only documents of declared collections', () => {
    const undeclared = readDemoDocuments()
      .map(([path]) => path)
      .filter((path) => !COLLECTIONS.some((collection) => containsDocument(collection, path)));

    const label =
      'Documents of no collection. The file of a collection also has the documents of its subcollections';
    expectEqual(label, undeclared, []);
  });

  test('refers only to users that exist', () => {
    const userIds = JSON.stringify(readDemoDocuments()).match(
      /(?<=")(artist|client|studio)-[^"]+/g,
    );
    const users = [...readCollection('users').keys()].map((path) => path.replace('users/', ''));

    expect(users).toEqual(expect.arrayContaining(userIds ?? []));
  });

  test('refers to exactly the pictures that exist', () => {
    const pictures = JSON.stringify(readDemoDocuments()).match(/(?<=\/demo\/pictures\/)[^"]+/g);

    expect([...new Set(pictures)].sort()).toEqual(readdirSync('demo/app/pictures').sort());
  });

  test.each(['flash', 'gallery'])(
    'describes each picture in the caption of its document in %s',
    (name) => {
      const undescribed = [...readCollection(name)].flatMap(([path, data]) => {
        const { caption } = data.sourceData as { readonly caption: string };
        const [, subject = ''] = /pictures\/(.+?)(-tattoo)?\.svg/.exec(JSON.stringify(data)) ?? [];
        const isDescribed = caption.toLowerCase().includes(subject.replaceAll('-', ' '));
        return subject !== '' && isDescribed ? [] : [[path, caption, subject]];
      });

      expect(undescribed).toEqual([]);
    },
  );

  test.each([0, 1, 47, 90, 167])(
    'has completed sessions and recorded times in the past, and all other sessions in the future, %i hours after a Tuesday noon',
    (hours) => {
      const now = NOW + hours * HOUR;
      for (const { sessions } of readCollection('bookings', now).values()) {
        (sessions as Session[]).forEach(({ sessionNumber, status, startTime }, index) => {
          expect([sessionNumber, startTime < now]).toEqual([index + 1, status === 'completed']);
        });
      }
      const recorded = readDemoDocuments(now).flatMap(([path, data]) =>
        ['createdAt', 'updatedAt', 'uploadedAt', 'timestamp'].flatMap((field) =>
          field in data && !(Number(convertTimesToMs(data[field])) <= now) ? [[path, field]] : [],
        ),
      );
      expect(recorded).toEqual([]);
    },
  );
});
