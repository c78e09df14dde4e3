/** How stored documents become what a schema describes; test/contract has which values they show. */
import { logger } from 'firebase-functions/logger';
import * as z from 'zod';
import { safeInteger } from '@tattoo-marketplace/endpoints';
import { encodeValue, type Fields, type StoredDocument } from '@tattoo-marketplace/firestore-rest';
import { MAX_TIME, storedTime } from './storedTime.ts';
import { createDocumentDecoder } from './decodeDocument.ts';

const Thing = z.object({
  id: z.string(),
  text: z.string().optional(),
  flag: z.boolean().optional(),
  amount: z.number().optional(),
  count: safeInteger.optional(),
  time: storedTime.optional(),
  kind: z.enum(['one', 'other']).optional(),
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

function document(values: object, id = 'a'): StoredDocument {
  return stored(encodeValue(values).mapValue?.fields ?? {}, id);
}

function stored(fields: Fields, id = 'a'): StoredDocument {
  return { id, path: `things/${id}`, fields, updateTime: '' };
}

function read(fields: object): unknown {
  return things.decodeAll([document(fields)])[0];
}

let warn: jest.SpyInstance;

beforeEach(() => {
  warn = jest.spyOn(logger, 'warn').mockReturnValue(undefined);
});

/** Expects one warning, about so many wrong values, of which these come first. */
function expectWarning(count: number, examples: readonly [id: string, field: string][]): void {
  const places = examples.map(([id, field]) => ({ document: `things/${id}`, field }));
  expect(warn.mock.calls).toEqual([
    ['Ignored stored values of the wrong type.', { count, examples: places }],
  ]);
}

test('selects the leaves of maps, and lists as a whole', () => {
  expect(things.fields).toEqual(
    'text flag amount count time kind grade mail tags parts settings.isOn settings.inner.n'.split(
      ' ',
    ),
  );
});

test.each([
  { name: 'nothing', fields: {} },
  {
    name: 'null',
    fields: { text: null, flag: null, amount: null, time: null, tags: null, settings: null },
  },
  { name: 'numbers that are none', fields: { amount: NaN, count: Infinity, time: -Infinity } },
])('counts $name as missing, without a warning', ({ fields }) => {
  expect(read(fields)).toEqual({ ...DEFAULTS, id: 'a' });
  expect(warn).not.toHaveBeenCalled();
});

test('all documents without a value share its default, which nobody can change', () => {
  const [one, other] = things.decodeAll([document({}), document({ settings: null })]);

  expect(one?.settings).toBe(other?.settings);
  expect([one?.settings, one?.settings.inner].every(Object.isFrozen)).toBe(true);
});

test.each([
  { field: 'text', fields: { text: 7 } },
  { field: 'flag', fields: { flag: 'true' } },
  { field: 'amount', fields: { amount: '1' } },
  { field: 'count', fields: { count: 1.5 } },
  { field: 'count', fields: { count: 2 ** 53 } },
  { field: 'time', fields: { time: 'yesterday' } },
  { field: 'time', fields: { time: MAX_TIME + 1 } },
  { field: 'time', fields: { time: -MAX_TIME - 1 } },
  { field: 'kind', fields: { kind: 'third' } },
  { field: 'grade', fields: { grade: 0 } },
  { field: 'mail', fields: { mail: 'nobody' } },
  { field: 'tags', fields: { tags: 'x' } },
  { field: 'settings', fields: { settings: [] } },
])('leaves out a $field of a wrong type, as in $fields, and warns', ({ field, fields }) => {
  expect(read({ ...fields, secret: 1 })).toEqual({ ...DEFAULTS, id: 'a' });
  expectWarning(1, [['a', field]]);
});

test('leaves out wrong values inside lists and objects, and names where they are', () => {
  const values = { kind: 'one', count: 2, grade: 1, mail: 'a@b.example' };
  const thing = read({
    ...values,
    tags: ['x', 7, null, 'y'],
    parts: [{ n: 'one' }, 'text', { n: 2 }],
    settings: { isOn: 1, inner: { n: '7' } },
  });

  const lists = { tags: ['x', 'y'], parts: [{}, { n: 2 }] };
  expect(thing).toEqual({ id: 'a', ...values, ...lists, ...DEFAULTS });
  const wrong = ['tags[]', 'parts[].n', 'parts[]', 'settings.isOn', 'settings.inner.n'];
  expectWarning(
    5,
    wrong.map((field) => ['a', field]),
  );
});

test('warns once for all parts of a list, with the first five places', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  async function* parts() {
    for (const id of ids) yield await Promise.resolve([document({ text: 1 }, id)]);
  }

  expect(await Array.fromAsync(things.decodeBatches(parts()))).toHaveLength(7);
  expectWarning(
    7,
    ids.slice(0, 5).map((id) => [id, 'text']),
  );
});

test.each([
  { time: { doubleValue: 1.6 }, millis: 2 },
  { time: { integerValue: '8640000000000000' }, millis: MAX_TIME },
  {
    time: { timestampValue: '2026-01-02T03:04:05.678999Z' },
    millis: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  },
])(
  'reads the time $time as whole milliseconds, however its schema is described',
  ({ time, millis }) => {
    const schema = z.object({ id: z.string(), time: storedTime.describe('When.').optional() });

    expect(createDocumentDecoder(schema).decodeAll([stored({ time })])).toEqual([
      { id: 'a', time: millis },
    ]);
  },
);
