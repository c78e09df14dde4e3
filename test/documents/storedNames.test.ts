/** Fields that are stored under other names than the API's: read, listed and written through HTTP on a stored collection; and the kind of times. */
import * as z from 'zod';
import { endpoint } from '../../functions/src/http/endpoint.ts';
import { pageFields, pageParameters } from '../../functions/src/http/pagination.ts';
import { collection } from '../../functions/src/documents/collection.ts';
import { updateOwned } from '../../functions/src/documents/ownedDocuments.ts';
import { readCountedPage } from '../../functions/src/documents/page.ts';
import { StoredNames } from '../../functions/src/documents/storedNames.ts';
import { storedAs } from '../../functions/src/documents/storedNames.ts';
import { optionalTime, requestTime, storedTime } from '../../functions/src/times.ts';
import type { Fields, Value } from '@tattoo-marketplace/firestore-rest';
import { startEmbeddedFirestore } from '@tattoo-marketplace/firestore-embedded';
import { rawRequest } from '../support/rawRequest.ts';
import { Store } from '../../functions/declared/store.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import { servedEndpoint, UNDESCRIBED } from '../support/servedEndpoint.ts';

const Thing = z.object({
  id: z.string(),
  artistId: storedAs(z.string(), 'owner', 'artistId').optional(),
  isVisible: storedAs(z.boolean().optional(), 'isShown'),
  order: storedAs(z.number().optional(), 'position', 'place', 'order').describe('Its place.'),
  price: storedAs(z.object({ amount: z.string().optional() }).optional(), 'cost', 'price'),
  updatedAt: storedAs(storedTime.optional(), 'changedAt', 'updatedAt'),
});
const things = collection('things', {
  purpose: 'Things of this test.',
  schema: Thing,
  owner: 'artistId',
});
const visible = things.list({ of: ['artistId'], where: { isVisible: true }, orderBy: 'order' });

const list = servedEndpoint(
  endpoint({
    ...UNDESCRIBED,
    method: 'GET',
    path: '/things',
    access: 'public',
    query: pageParameters({ max: 9, fallback: 9 }),
    response: z.object({ things: z.array(Thing), total: z.int(), ...pageFields }),
    handle: async ({ query }) => {
      const { elements, ...position } = await readCountedPage(
        visible,
        { artistId: 'alice' },
        query,
      );
      return { things: elements, ...position };
    },
  }),
);

const reorder = servedEndpoint(
  endpoint({
    ...UNDESCRIBED,
    method: 'PUT',
    path: '/things/{id}',
    access: 'public',
    params: z.object({ id: z.string() }),
    body: z.object({ order: z.number() }),
    response: z.object({}),
    handle: async ({ params: { id }, body: { order } }) => {
      const named = [{ id, field: 'id' }];
      const owned = { collection: things, named, caller: 'alice' };
      await updateOwned(owned, ['order', 'updatedAt'], (_named, updatedAt) => ({
        order,
        updatedAt,
      }));
      return {};
    },
  }),
);

const PROJECT = 'demo-stored-names';
functionsEnvironment(PROJECT, { ALLOWED_ORIGINS: '*' });

let embedded: Awaited<ReturnType<typeof startEmbeddedFirestore>>;
let store: Store;

beforeAll(async () => {
  embedded = await startEmbeddedFirestore();
  process.env.FIRESTORE_EMULATOR_HOST = embedded.address;
  store = new Store(embedded.address, PROJECT);
});

afterAll(() => embedded.stop());

const LATER = 9_000_000_000_000;
const NEW = { owner: 'alice', isShown: true };

beforeEach(() =>
  store.setAll([
    ['things/a', { ...NEW, position: 1, order: 9, changedAt: LATER, cost: { amount: '5' } }],
    ['things/b', { ...NEW, position: 2, cost: null, price: { amount: '6', secret: 1 } }],
    ['things/c', { ...NEW, position: 3, owner: 'bob' }],
    ['things/old', { artistId: 'alice', isShown: true, order: 4, updatedAt: LATER, place: NaN }],
  ]),
);

async function page(query = '') {
  const { text } = await rawRequest(list.origin, `/things${query}`);
  return JSON.parse(text) as unknown;
}

async function move(id: string, order: number): Promise<number> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ order });
  return (await rawRequest(reorder.origin, `/things/${id}`, { method: 'PUT', headers, body }))
    .status;
}

const COMMON = { artistId: 'alice', isVisible: true };
const A = { id: 'a', ...COMMON, order: 1, price: { amount: '5' }, updatedAt: LATER };
const B = { id: 'b', ...COMMON, order: 2, price: { amount: '6' } };

test('a list has the names of the API, and lacks documents that only have the older name of its order', async () => {
  expect(await page()).toEqual({ things: [A, B], total: 2, hasMore: false });
  const first = { things: [A], total: 2, hasMore: true, nextCursor: 'a' };
  expect(await page('?limit=1')).toEqual(first);
  expect(await page('?limit=1&cursor=a')).toEqual({ things: [B], total: 2, hasMore: false });
  for (const id of ['c', 'old']) {
    expect(await page(`?cursor=${id}`)).toEqual({
      message: 'cursor is not an element of this list.',
    });
  }
});

test('a write goes to the current names and removes the older ones; its owner may be stored under either', async () => {
  jest.spyOn(Date, 'now').mockReturnValue(LATER + 1);

  expect(await move('a', 5)).toBe(200);
  expect(await move('old', 6)).toBe(200);
  expect(await move('c', 7)).toBe(403);

  expect(await store.getAll(['things/a', 'things/old'])).toEqual({
    'things/a': { ...NEW, position: 5, changedAt: LATER + 1, cost: { amount: '5' } },
    'things/old': { artistId: 'alice', isShown: true, position: 6, changedAt: LATER + 1 },
  });
});

const OLD = { timestampValue: '2030-01-15T12:00:00.123456Z' };

test.each<[string, Fields, number | undefined, Value | undefined]>([
  ['a Timestamp', { at: OLD }, 1.5, { timestampValue: '1970-01-01T00:00:00.001500Z' }],
  ['one of an older name', { was: OLD }, 1, { timestampValue: '1970-01-01T00:00:00.001000Z' }],
  ['a Timestamp, beyond its years', { at: OLD }, 8.64e15, { integerValue: '8640000000000000' }],
  ['a Timestamp, without another time', { at: OLD }, undefined, undefined],
  ['a number', { at: { integerValue: '1' }, was: OLD }, 1.5, { doubleValue: 1.5 }],
  ['null', { at: { nullValue: null } }, 1, { integerValue: '1' }],
  ['a text', { at: { stringValue: '2030-01-15' } }, 1, { integerValue: '1' }],
  ['nothing', {}, 1, { integerValue: '1' }],
])(
  'a time that replaces %s is of the same kind, or else a number',
  (_what, stored, time, value) => {
    const schemas = [requestTime, storedTime.optional(), optionalTime.describe('A time.')];
    for (const schema of schemas) {
      const names = new StoredNames(z.object({ at: storedAs(schema, 'at', 'was') }));

      expect(names.changes({ at: time }, stored)).toEqual({ at: value, was: undefined });
    }
  },
);

test('what is no time replaces a Timestamp as it is', () => {
  const names = new StoredNames(z.object({ count: z.number() }));

  expect(names.changes({ count: 1 }, { count: OLD })).toEqual({ count: { integerValue: '1' } });
});

test.each([
  ['two fields with one stored name', ['c', 'b'], 'Two fields are stored as b.'],
  ['a path', ['c', 'info.order'], 'info.order is not the simple name of a field.'],
  ['a name that paths must quote', ['list-order'], 'list-order is not the simple name of a field.'],
] as const)('%s is refused when the process loads', (_what, [name, ...older], message) => {
  const schema = z.object({ a: storedAs(z.string(), name, ...older), b: z.string() });

  expect(() => new StoredNames(schema)).toThrow(message);
});
