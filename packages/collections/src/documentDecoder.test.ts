/** The decoding of stored documents. test/contract tests the values in responses. */
import { logger } from 'firebase-functions/logger';
import * as z from 'zod';
import { safeInteger } from '@tattoo-marketplace/endpoints';
import { encodeValue, type Fields, type StoredDocument } from '@tattoo-marketplace/firestore-rest';
import { MAX_TIME, storedTime } from './times.ts';
import { createDocumentDecoder } from './documentDecoder.ts';

const Thing = z.object({
  id: z.string(),
  text: z.string().optional(),
  flag: z.boolean().optional(),
  amount: z.number().optional(),
  count: safeInteger.optional(),
  time: storedTime.optional(),
  choice: z.enum(['first', 'second']).optional(),
  grade: z.number().min(1).optional(),
  mail: z.email().optional(),
  tags: z.array(z.string()).optional(),
  parts: z.array(z.object({ id: z.string().optional(), n: z.number().optional() })).optional(),
  settings: z
    .object({
      isOn: z.boolean().default(true),
      inner: z.object({ n: z.number().default(7) }).prefault({}),
    })
    .prefault({}),
});
const things = createDocumentDecoder(Thing);
const DEFAULTS = { settings: { isOn: true, inner: { n: 7 } } };

function createDocument(values: object, id = 'a'): StoredDocument {
  return createStoredDocument(encodeValue(values).mapValue?.fields ?? {}, id);
}

function createStoredDocument(fields: Fields, id = 'a'): StoredDocument {
  return { id, path: `things/${id}`, fields, updateTime: '' };
}

/** Decodes a document with these values. */
function decode(values: object): unknown {
  return things.decodeAll([createDocument(values)])[0];
}

let warn: jest.SpyInstance;

beforeEach(() => {
  warn = jest.spyOn(logger, 'warn').mockReturnValue(undefined);
});

/** Expects one warning, about this number of invalid values, with these examples. */
function expectWarning(
  count: number,
  examples: readonly { readonly document: string; readonly field: string }[],
): void {
  expect(warn.mock.calls).toEqual([
    ['Ignored stored values of the wrong type.', { count, examples }],
  ]);
}

test('selects the leaves of maps, and entire lists', () => {
  expect(things.fields).toEqual(
    'text flag amount count time choice grade mail tags parts settings.isOn settings.inner.n'.split(
      ' ',
    ),
  );
});

test.each([
  { name: 'an absent value', values: {} },
  {
    name: 'null',
    values: { text: null, flag: null, amount: null, time: null, tags: null, settings: null },
  },
  { name: 'NaN and infinity', values: { amount: NaN, count: Infinity, time: -Infinity } },
])('counts $name as missing, without a warning', ({ values }) => {
  expect(decode(values)).toEqual({ ...DEFAULTS, id: 'a' });
  expect(warn).not.toHaveBeenCalled();
});

test('all documents without a value share its default, which is frozen', () => {
  const documents = [createDocument({}), createDocument({ settings: null })];

  const [first, second] = things.decodeAll(documents);

  expect(first?.settings).toBe(second?.settings);
  expect([first?.settings, first?.settings.inner].every(Object.isFrozen)).toBe(true);
});

test.each([
  { field: 'text', value: 7 },
  { field: 'flag', value: 'true' },
  { field: 'amount', value: '1' },
  { field: 'count', value: 1.5 },
  { field: 'count', value: 2 ** 53 },
  { field: 'time', value: 'yesterday' },
  { field: 'time', value: MAX_TIME + 1 },
  { field: 'time', value: -MAX_TIME - 1 },
  { field: 'choice', value: 'third' },
  { field: 'grade', value: 0 },
  { field: 'mail', value: 'nobody' },
  { field: 'tags', value: 'x' },
  { field: 'settings', value: [] },
])('omits the field $field with the invalid value $value, and warns', ({ field, value }) => {
  expect(decode({ [field]: value, secret: 1 })).toEqual({ ...DEFAULTS, id: 'a' });
  expectWarning(1, [{ document: 'things/a', field }]);
});

test('omits invalid values inside lists and objects, and warns about their locations', () => {
  const validValues = { choice: 'first', count: 2, grade: 1, mail: 'a@b.example' };
  const thing = decode({
    ...validValues,
    tags: ['x', 7, null, 'y'],
    parts: [{ n: 'one' }, 'text', { n: 2 }],
    settings: { isOn: 1, inner: { n: '7' } },
  });

  const lists = { tags: ['x', 'y'], parts: [{}, { n: 2 }] };
  expect(thing).toEqual({ id: 'a', ...validValues, ...lists, ...DEFAULTS });
  const fields = ['tags[]', 'parts[].n', 'parts[]', 'settings.isOn', 'settings.inner.n'];
  expectWarning(
    5,
    fields.map((field) => ({ document: 'things/a', field })),
  );
});

test('warns once about all batches of a list, with the first five locations', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  async function* yieldBatches() {
    for (const id of ids) yield await Promise.resolve([createDocument({ text: 1 }, id)]);
  }

  expect(await Array.fromAsync(things.decodeBatches(yieldBatches()))).toHaveLength(7);
  expectWarning(
    7,
    ids.slice(0, 5).map((id) => ({ document: `things/${id}`, field: 'text' })),
  );
});

test.each([
  { time: { doubleValue: 1.6 }, millis: 2 },
  { time: { integerValue: '8640000000000000' }, millis: MAX_TIME },
  {
    time: { timestampValue: '2026-01-02T03:04:05.678999Z' },
    millis: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  },
])('decodes the time $time as an integer number of milliseconds', ({ time, millis }) => {
  // Zod copies a schema that gets a description.
  const schema = z.object({ id: z.string(), time: storedTime.describe('When.').optional() });

  expect(createDocumentDecoder(schema).decodeAll([createStoredDocument({ time })])).toEqual([
    { id: 'a', time: millis },
  ]);
});
