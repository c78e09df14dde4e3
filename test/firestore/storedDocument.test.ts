/** How stored documents become the JSON that a schema describes. */
import { logger } from 'firebase-functions/logger';
import * as z from 'zod';
import { storedTime, wholeNumber } from '../../functions/src/fields.ts';
import type { StoredDocument } from '../../functions/src/firestore/documents.ts';
import {
  documentReader,
  type DocumentReader,
} from '../../functions/src/firestore/storedDocument.ts';
import { toFields, type Fields } from '../../functions/src/firestore/values.ts';

const Thing = z.object({
  id: z.string(),
  text: z.string().optional(),
  flag: z.boolean().optional(),
  amount: z.number().optional(),
  count: wholeNumber.optional(),
  time: storedTime.optional(),
  kind: z.enum(['one', 'other']).optional(),
  tags: z.array(z.string()).optional(),
  parts: z.array(z.object({ id: z.string().optional(), n: z.number().optional() })).optional(),
  settings: z
    .object({
      isOn: z.boolean().default(true),
      inner: z.object({ n: z.number().default(7) }).prefault({}),
    })
    .prefault({}),
});
const things = documentReader(Thing);
const DEFAULTS = { settings: { isOn: true, inner: { n: 7 } } };

function document(values: object, id = 'a'): StoredDocument {
  return stored(toFields(values), id);
}

function stored(fields: Fields, id = 'a'): StoredDocument {
  return { id, path: `things/${id}`, fields, createTime: '', updateTime: '' };
}

function written<Output>(
  reader: DocumentReader<Output>,
  document: StoredDocument,
  schema: z.ZodType,
): string {
  return reader
    .readAll([document])
    .map((each) => each.jsonFor(schema))
    .join();
}

function read(fields: object): unknown {
  return JSON.parse(written(things, document(fields), Thing));
}

let warn: jest.SpyInstance;

beforeEach(() => {
  warn = jest.spyOn(logger, 'warn').mockReturnValue(undefined);
});

afterEach(() => {
  warn.mockRestore();
});

test('names the fields to read: all but the id', () => {
  expect(things.fields).toEqual(Object.keys(Thing.shape).filter((name) => name !== 'id'));
});

test('returns every field of the schema, and no others', () => {
  const fields = {
    text: 'a',
    flag: false,
    amount: -0.5,
    count: 3,
    time: 1_793_000_000_000,
    kind: 'other',
    tags: ['x', ''],
    parts: [{ id: 'kept', n: 1 }, {}],
    settings: { isOn: false, inner: { n: 0 } },
  };

  expect(
    read({ ...fields, id: 'another', secret: 1, parts: [{ ...fields.parts[0], s: 1 }, {}] }),
  ).toEqual({
    ...fields,
    id: 'a',
  });
  expect(warn).not.toHaveBeenCalled();
});

test('neither reads nor writes fields that are left out', () => {
  const reader = documentReader(Thing, ['text', 'settings']);

  expect(reader.fields).toEqual(
    things.fields.filter((name) => name !== 'text' && name !== 'settings'),
  );
  expect(written(reader, document({ text: 'a', flag: true }), Thing)).toBe(
    '{"id":"a","flag":true}',
  );
});

test('writes documents for a response with the same schema only', () => {
  const [thing] = things.readAll([document({})]);

  expect(() => thing?.jsonFor(z.object(Thing.shape))).toThrow('from another schema');
});

test.each([
  ['nothing', {}],
  ['null', { text: null, flag: null, amount: null, time: null, tags: null, settings: null }],
  ['numbers that are none', { amount: NaN, count: Infinity, time: -Infinity }],
])('counts %s as missing, without a warning', (_what, fields) => {
  expect(read(fields)).toEqual({ ...DEFAULTS, id: 'a' });
  expect(warn).not.toHaveBeenCalled();
});

test('fills in defaults at every level', () => {
  expect(read({ settings: { isOn: false } })).toMatchObject({
    settings: { isOn: false, inner: { n: 7 } },
  });
  expect(read({ settings: { inner: { n: 1 } } })).toMatchObject({
    settings: { isOn: true, inner: { n: 1 } },
  });
});

test.each([
  ['text', { text: 7 }, 'text'],
  ['a flag', { flag: 'true' }, 'flag'],
  ['a number', { amount: '1' }, 'amount'],
  ['a whole number that has a fraction', { count: 1.5 }, 'count'],
  ['a whole number that is too large', { count: 2 ** 53 }, 'count'],
  ['a time', { time: 'yesterday' }, 'time'],
  ['a word of a list', { kind: 'third' }, 'kind'],
  ['a word of a list that is a number', { kind: 1 }, 'kind'],
  ['a list', { tags: 'x' }, 'tags'],
  ['an object', { settings: [] }, 'settings'],
])('leaves out %s of a wrong type, and warns', (_what, fields, field) => {
  expect(read({ ...fields, secret: 1 })).toEqual({ ...DEFAULTS, id: 'a' });
  expect(warn.mock.calls).toEqual([
    [
      'Stored values of a wrong type were ignored.',
      { count: 1, examples: [{ document: 'things/a', field }] },
    ],
  ]);
});

test('leaves out wrong values inside lists and objects, and names where they are', () => {
  const thing = read({
    tags: ['x', 7, null, 'y'],
    parts: [{ n: 'one' }, 'text', { n: 2 }],
    settings: { isOn: 1, inner: { n: '7' } },
  });

  expect(thing).toEqual({ id: 'a', tags: ['x', 'y'], parts: [{}, { n: 2 }], ...DEFAULTS });
  expect(warn.mock.calls).toEqual([
    [
      'Stored values of a wrong type were ignored.',
      {
        count: 5,
        examples: ['tags[]', 'parts[].n', 'parts[]', 'settings.isOn', 'settings.inner.n'].map(
          (field) => ({ document: 'things/a', field }),
        ),
      },
    ],
  ]);
});

test('warns once for a list, with the first five places', () => {
  const documents = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => document({ text: 1 }, id));

  expect(things.readAll(documents)).toHaveLength(7);
  expect(warn.mock.calls).toEqual([
    [
      'Stored values of a wrong type were ignored.',
      {
        count: 7,
        examples: ['a', 'b', 'c', 'd', 'e'].map((id) => ({
          document: `things/${id}`,
          field: 'text',
        })),
      },
    ],
  ]);
});

test('warns once for all parts of a list', async () => {
  async function* parts() {
    for (const id of ['a', 'b']) yield await Promise.resolve([document({ text: 1 }, id)]);
  }

  expect(await Array.fromAsync(things.readParts(parts()))).toHaveLength(2);
  expect(warn).toHaveBeenCalledTimes(1);
});

test.each([
  [{ doubleValue: 1.6 }, 2],
  [{ integerValue: '0' }, 0],
  [{ timestampValue: '2026-01-02T03:04:05.678999Z' }, Date.UTC(2026, 0, 2, 3, 4, 5, 678)],
])('reads the time %j as whole milliseconds, however its schema is described', (time, millis) => {
  const schema = z.object({ id: z.string(), time: storedTime.describe('When.').optional() });

  expect(written(documentReader(schema), stored({ time }), schema)).toBe(
    `{"id":"a","time":${millis}}`,
  );
});

test('reads integers and fractions as numbers', () => {
  expect(read({ amount: 12, count: 12 })).toMatchObject({ amount: 12, count: 12 });
  expect(read({ amount: 1.5 })).toMatchObject({ amount: 1.5 });
});

test.each<[string, string, z.ZodType]>([
  ['another kind', 'date', z.date().optional()],
  ['a required field', 'required', z.string()],
  ['a minimum', 'checks', z.number().min(0).optional()],
  ['a maximum', 'checks', z.string().max(3).optional()],
  ['a check of an integer', 'checks', wholeNumber.min(0).optional()],
  ['a check of a time', 'checks', storedTime.min(0).optional()],
  ['a refinement outside', 'checks', z.string().optional().refine(Boolean)],
  ['a refinement of a list', 'checks', z.array(z.string()).nonempty().optional()],
  ['a format', 'pattern', z.email().optional()],
  ['a smaller integer', 'number', z.int32().optional()],
  ['a conversion', 'coerce', z.coerce.string().optional()],
  ['a transformation', 'in', z.string().transform(Number).optional()],
  ['further fields', 'catchall', z.looseObject({}).optional()],
])('refuses a schema with %s, and names the field', (_what, reason, field) => {
  const nested = z.object({ b: field }).optional();

  expect(() => documentReader(z.object({ id: z.string(), a: nested }))).toThrow(
    `The schema of a.b is not supported for stored documents: ${reason}.`,
  );
});
