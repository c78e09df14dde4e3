/** Updates of owned documents. test/contract tests rejections and conflicts. */
import * as z from 'zod';
import type { Value } from '@tattoo-marketplace/firestore-rest';
import { defineCollection } from './defineCollection.ts';
import { listUniqueReferences } from './documentReference.ts';
import type { FieldValues } from './encodeChanges.ts';
import { removeItem } from './storedLists.ts';
import { storedTime } from './times.ts';
import { updateOwned } from './updateOwned.ts';
import {
  respondCommit,
  respondBatchGet,
  respondError,
  useStubFirestore,
} from '../../../test/support/google/stubFirestore.ts';
import type { Responder } from '../../../test/support/google/stubServer.ts';

const firestore = useStubFirestore();

const things = defineCollection('things', {
  description: 'Things of this test.',
  schema: z.object({
    id: z.string(),
    artistId: z.string().optional().describe('A field of this test.'),
    order: z.number().optional().describe('A field of this test.'),
    label: z.string().default('none').describe('A field of this test.'),
    from: storedTime.optional().describe('A field of this test.'),
    parts: z
      .array(z.object({ n: z.number().optional().describe('A field of this test.') }))
      .optional()
      .describe('A field of this test.'),
    counts: z.array(z.number()).optional().describe('A field of this test.'),
    size: z
      .object({ units: z.array(z.string()).optional().describe('A field of this test.') })
      .optional()
      .describe('A field of this test.'),
    updatedAt: storedTime.optional().describe('A field of this test.'),
  }),
  owner: 'artistId',
});
const ALICE = { artistId: { stringValue: 'alice' } };
const conflict = respondError('FAILED_PRECONDITION');

function createOwnedByAlice(ids: readonly string[]) {
  return { collection: things, documents: listUniqueReferences('ids', ids), callerId: 'alice' };
}

test('updateOwned sets updatedAt to the server’s time, in the stored format', async () => {
  const stored = [
    { integerValue: '9000000000000' },
    { timestampValue: '2030-01-15T12:00:00.123456Z' },
    { doubleValue: 1e300 },
    { stringValue: '2000' },
  ];
  const documents = stored.map(
    (updatedAt, id) => [`things/${id}`, { ...ALICE, updatedAt }] as const,
  );
  let now = 1_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const read: Responder = (...call) => {
    now += 1_000;
    respondBatchGet(Object.fromEntries(documents))(...call);
  };
  firestore.setResponses(read, conflict, read, respondCommit(4));

  await firestore.runInRequest(() =>
    updateOwned(createOwnedByAlice(['0', '1', '2', '3']), () => ({})),
  );

  const number = { update: { fields: { updatedAt: { integerValue: '3000' } } } };
  const timestamp = {
    update: { fields: { updatedAt: { timestampValue: '1970-01-01T00:00:03.000000Z' } } },
  };
  expect(firestore.requests[3]?.body).toMatchObject({
    writes: [number, timestamp, number, number],
  });
});

test('the change gets the id and the requested fields, decoded, in each attempt', async () => {
  const buildChange = jest.fn(({ order = 0 }: { order?: number | undefined }) => ({
    order: order + 1,
  }));
  const respondOrder = (order: Value) => respondBatchGet({ 'things/a': { ...ALICE, order } });
  firestore.setResponses(
    respondOrder({ doubleValue: 1.5 }),
    conflict,
    respondOrder({ stringValue: '7' }),
    respondCommit(),
  );

  await firestore.runInRequest(() =>
    updateOwned(createOwnedByAlice(['a']), buildChange, { fields: ['order', 'label'] }),
  );

  expect(buildChange.mock.calls).toEqual([
    [{ id: 'a', order: 1.5, label: 'none' }],
    [{ id: 'a', label: 'none' }],
  ]);
  expect(firestore.requests[0]?.body).toMatchObject({
    mask: { fieldPaths: ['artistId', 'order', 'label', 'from', 'updatedAt'] },
  });
  expect(firestore.requests[3]?.body).toMatchObject({
    writes: [{ update: { fields: { order: { integerValue: '1' } } } }],
  });
});

test('without fields, the change gets the id only, and is built once for all attempts', async () => {
  const read = respondBatchGet({ 'things/a': ALICE, 'things/b': ALICE });
  const buildChange = jest.fn(() => ({ order: 1 }));
  firestore.setResponses(read, conflict, read, respondCommit(2));

  await firestore.runInRequest(() => updateOwned(createOwnedByAlice(['a', 'b']), buildChange));

  expect(buildChange.mock.calls).toEqual([[{ id: 'a' }], [{ id: 'b' }]]);
});

test('a document whose change is undefined is not written', async () => {
  const read = respondBatchGet({ 'things/a': ALICE, 'things/b': ALICE });
  firestore.setResponses(read, respondCommit());
  const change = (idToChange?: string) =>
    updateOwned(createOwnedByAlice(['a', 'b']), ({ id }) =>
      id === idToChange ? { order: 1 } : undefined,
    );

  await firestore.runInRequest(() => change('b'));
  expect(firestore.requests[1]?.body).toMatchObject({
    writes: [{ update: { name: expect.stringMatching('/things/b$') as string } }],
  });

  firestore.setResponses(read);
  await firestore.runInRequest(() => change());
  expect(firestore.requests).toHaveLength(1);
});

test('values of other types than in the schema do not compile', () => {
  const changes: readonly FieldValues<typeof things.schema>[] = [
    // @ts-expect-error: a time is a number.
    { from: '2026-01-02T03:04:05Z' },
    // @ts-expect-error: the schema has no such field.
    { artist: 'alice' },
    { parts: [{ n: 1 }], label: undefined },
  ];

  expect(changes).toHaveLength(3);
});

test('a document is not changed if the fields on which the change depends exceed 2 MiB', async () => {
  const label = { stringValue: 'x'.repeat(2 * 1024 * 1024) };
  const read = respondBatchGet({ 'things/a': { ...ALICE, label } });
  const update = (...fields: readonly 'label'[]) =>
    updateOwned(createOwnedByAlice(['a']), () => ({ order: 1 }), { fields });

  firestore.setResponses(read);
  await expect(firestore.runInRequest(() => update('label'))).rejects.toThrow(
    'artistId, label, from, updatedAt of things/a have more than 2097152 bytes.',
  );
  expect(firestore.requests).toHaveLength(1);

  firestore.setResponses(read, respondCommit());
  await firestore.runInRequest(() => update());
  expect(firestore.requests).toHaveLength(2);
});

// Decoding would change or omit each of these.
const UNUSUAL_VALUES: readonly Value[] = [
  { nullValue: null },
  { stringValue: 'x' },
  { integerValue: '9007199254740993' },
  { timestampValue: '2026-01-02T03:04:05.678901Z' },
  { doubleValue: 'NaN' },
];
const UNUSUAL_PARTS: readonly Value[] = [
  ...UNUSUAL_VALUES,
  ...UNUSUAL_VALUES.map((n) => ({ mapValue: { fields: { n, more: n } } })),
  { mapValue: { fields: { n: { integerValue: '1' }, place: { geoPointValue: { latitude: 1 } } } } },
];
const FIRST: Value = { mapValue: { fields: { n: { doubleValue: 1 } } } };

test.each<{
  name: string;
  field: 'parts' | 'counts';
  stored: readonly Value[];
  left: readonly Value[];
}>([
  {
    name: 'a map',
    field: 'parts',
    stored: [...UNUSUAL_PARTS.slice(0, -1), FIRST, ...UNUSUAL_PARTS],
    left: [...UNUSUAL_PARTS.slice(0, -1), ...UNUSUAL_PARTS],
  },
  {
    name: 'a number',
    field: 'counts',
    stored: [...UNUSUAL_VALUES, { doubleValue: 1 }, { integerValue: '1' }, ...UNUSUAL_VALUES],
    left: [...UNUSUAL_VALUES, { integerValue: '1' }, ...UNUSUAL_VALUES],
  },
])('removeItem removes $name, and the other items are stored unchanged', async (row) => {
  const { field, stored, left } = row;
  const read = respondBatchGet({
    'things/a': { ...ALICE, [field]: { arrayValue: { values: stored } } },
  });
  firestore.setResponses(read, respondCommit());

  await firestore.runInRequest(() =>
    updateOwned(
      createOwnedByAlice(['a']),
      ({ parts = [], counts = [] }) => {
        const part = parts.find(({ n }) => n === 1);
        return part ? { parts: removeItem(parts, part) } : { counts: removeItem(counts, 1) };
      },
      { fields: [field] },
    ),
  );

  expect(firestore.requests[1]?.body).toMatchObject({
    writes: [{ update: { fields: { [field]: { arrayValue: { values: left } } } } }],
  });
});

test('removeItem removes one item after another', async () => {
  const values = ['1', '2', '3'].map((integerValue) => ({ integerValue }));
  firestore.setResponses(
    respondBatchGet({ 'things/a': { ...ALICE, counts: { arrayValue: { values } } } }),
    respondCommit(),
  );

  await firestore.runInRequest(() =>
    updateOwned(
      createOwnedByAlice(['a']),
      ({ counts = [] }) => ({ counts: removeItem(removeItem(counts, 1), 3) }),
      { fields: ['counts'] },
    ),
  );

  expect(firestore.requests[1]?.body).toMatchObject({
    writes: [
      { update: { fields: { counts: { arrayValue: { values: [{ integerValue: '2' }] } } } } },
    ],
  });
});

test.each<{ name: string; remove: (units: readonly string[]) => string[] }>([
  { name: 'a list inside a map', remove: (units) => removeItem(units, 'in') },
  { name: 'a list that was not stored', remove: () => removeItem(['in'], 'in') },
])('removeItem throws for $name', async ({ remove }) => {
  const units = { arrayValue: { values: [{ stringValue: 'in' }] } };
  firestore.setResponses(
    respondBatchGet({ 'things/a': { ...ALICE, size: { mapValue: { fields: { units } } } } }),
  );

  const change = () =>
    updateOwned(
      createOwnedByAlice(['a']),
      ({ size }) => ({ size: { units: remove(size?.units ?? []) } }),
      { fields: ['size'] },
    );

  await expect(firestore.runInRequest(change)).rejects.toThrow('removeItem needs a list field');
});

test.each<{
  name: string;
  change: (counts: number[], parts: { n?: number | undefined }[]) => object;
}>([
  { name: 'an added item', change: (counts) => ({ counts: (counts.push(3), counts) }) },
  { name: 'another order', change: (counts) => ({ counts: counts.sort() }) },
  {
    name: 'a changed item',
    change: (_, parts) => ({ parts: (parts.forEach((part) => (part.n = 2)), parts) }),
  },
  {
    name: 'an item added after removeItem',
    change: (counts) => {
      const remaining = removeItem(counts, 1);
      remaining.push(3);
      return { counts: remaining };
    },
  },
])('a change in place of a list throws, instead of storing the former list: $name', async (row) => {
  const counts = { arrayValue: { values: [{ integerValue: '2' }, { integerValue: '1' }] } };
  const part = { mapValue: { fields: { n: { integerValue: '1' } } } };
  const parts = { arrayValue: { values: [part] } };
  firestore.setResponses(respondBatchGet({ 'things/1': { ...ALICE, counts, parts } }));

  const change = () =>
    updateOwned(
      createOwnedByAlice(['1']),
      ({ counts = [], parts = [] }) => row.change(counts, parts),
      { fields: ['counts', 'parts'] },
    );
  await expect(firestore.runInRequest(change)).rejects.toThrow(TypeError);
});
