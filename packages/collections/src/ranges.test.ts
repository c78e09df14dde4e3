/** Ranges and optional filters of lists, on the embedded Firestore. */
import * as z from 'zod';
import { RequestContext } from '@tattoo-marketplace/endpoints';
import { EmulatorClient, startEmbeddedFirestore } from '@tattoo-marketplace/firestore-embedded';
import { defineCollection } from './defineCollection.ts';
import { readPage, readPageWithTotal, type PageRequest } from './readPage.ts';
import { storedTime } from './times.ts';

const PROJECT = 'demo-ranges';
let stop: () => Promise<unknown>;

beforeAll(async () => {
  const embedded = await startEmbeddedFirestore();
  ({ stop } = embedded);
  Object.assign(process.env, {
    FIRESTORE_EMULATOR_HOST: embedded.address,
    GCLOUD_PROJECT: PROJECT,
  });
  const at = (day: number) => ({ owner: 'alice', at: day, name: 'x' });
  const timestampValue = '2026-06-01T00:00:00Z';
  await new EmulatorClient(embedded.address, PROJECT).write({
    'events/a': { ...at(1), name: 'a' },
    'events/b': { ...at(2), name: 'b' },
    'events/b2': { ...at(2), name: '\u{1f58b}' },
    'events/c': { ...at(2.5), name: '\uFFFD' },
    'events/d': at(3),
    'events/f': { owner: 'alice', at: { timestampValue }, name: 7 },
    'events/g': { owner: 'alice', at: 'text', name: { timestampValue } },
    'events/h': { owner: 'alice', at: { integerValue: '9007199254740995' } },
    'events/i': { owner: 'alice', at: { doubleValue: 'NaN' } },
    'events/j': { ...at(2), owner: 'bob', name: 'b' },
  });
});

afterAll(() => stop());

const Event = z.object({
  id: z.string(),
  owner: z.string().optional().describe('A field of this test.'),
  at: storedTime.optional().describe('A field of this test.'),
  name: z.string().optional().describe('A field of this test.'),
});
const events = defineCollection('events', { description: 'Events.', schema: Event });
const common = { item: Event, filterBy: ['owner'] } as const;
const byTime = events.definePagedList({ ...common, orderBy: 'at' });
const newestFirst = events.definePagedList({ ...common, orderBy: 'at', descending: true });
const byName = events.definePagedList({ ...common, orderBy: 'name' });

async function readIds(list: typeof byTime, page: Omit<PageRequest, 'limit'>, limit = 2) {
  let cursor = page.cursor;
  const ids: string[] = [];
  for (;;) {
    const request = { ...page, limit, cursor };
    const { items, total, nextCursor } = await new RequestContext().run(30_000, () =>
      readPageWithTotal(list, { owner: 'alice' }, request),
    );
    ids.push(...items.map(({ id }) => id));
    if (page.cursor === undefined && nextCursor === undefined) expect(total).toBe(ids.length);
    if (nextCursor === undefined) return ids.join(' ');
    cursor = nextCursor;
  }
}

test.each<{ name: string; list: typeof byTime; page: Omit<PageRequest, 'limit'>; ids: string }>([
  { name: 'includes from, but not to', list: byTime, page: { from: 2, to: 3 }, ids: 'b b2 c' },
  {
    name: 'may be descending',
    list: newestFirst,
    page: { from: 2, to: 3 },
    ids: 'c b2 b',
  },
  { name: 'without to has all larger numbers', list: byTime, page: { from: 2.5 }, ids: 'c d h' },
  {
    name: 'without to has all larger numbers, descending',
    list: newestFirst,
    page: { from: 2.5 },
    ids: 'h d c',
  },
  { name: 'without from has all smaller numbers', list: byTime, page: { to: 2 }, ids: 'a' },
  {
    name: 'without from has all smaller numbers, descending',
    list: newestFirst,
    page: { to: 2.5 },
    ids: 'b2 b a',
  },
  {
    name: 'continues after a cursor',
    list: byTime,
    page: { from: 2, to: 3, cursor: 'b' },
    ids: 'b2 c',
  },
  {
    name: 'continues after a cursor, descending',
    list: newestFirst,
    page: { from: 2, to: 3, cursor: 'c' },
    ids: 'b2 b',
  },
  {
    name: 'continues after an integer that a double cannot express',
    list: byTime,
    page: { to: 2 ** 53 + 4, cursor: 'h' },
    ids: '',
  },
  { name: 'is empty if it ends where it starts', list: byTime, page: { from: 2, to: 2 }, ids: '' },
  { name: 'is empty if it ends before it starts', list: byTime, page: { from: 3, to: 2 }, ids: '' },
  { name: 'of strings has strings only', list: byName, page: { from: 'b' }, ids: 'b d c b2' },
  {
    name: 'of strings is in the order of UTF-8',
    list: byName,
    page: { from: '\uFFFD', cursor: 'c' },
    ids: 'b2',
  },
  { name: 'of strings may have an end only', list: byName, page: { to: 'x' }, ids: 'a b' },
])('a range $name', async ({ list, page, ids }) => {
  expect(await readIds(list, page)).toBe(ids);
});

test('continues after a document that the optional filter no longer has', async () => {
  const list = events.definePagedList({ ...common, optionalFilterBy: ['name'], orderBy: 'at' });
  const params = { owner: 'alice', name: 'x' };
  const page = { limit: 2, from: 1, cursor: 'a' };

  const read = () => readPageWithTotal(list, params, page);
  const { items, total } = await new RequestContext().run(30_000, read);

  expect({ ids: items.map(({ id }) => id), total }).toEqual({ ids: ['d'], total: 1 });
});

test.each<{ name: string; list: typeof byTime; page: Omit<PageRequest, 'limit'> }>([
  { name: 'before the range', list: byTime, page: { from: 2, cursor: 'a' } },
  { name: 'at the end of the range', list: byTime, page: { to: 2, cursor: 'b' } },
  { name: 'with a Timestamp', list: byTime, page: { from: 2, cursor: 'f' } },
  { name: 'with a string in a range of numbers', list: byTime, page: { from: 2, cursor: 'g' } },
  { name: 'with NaN', list: byTime, page: { to: 2, cursor: 'i' } },
  { name: 'with a number in a range of strings', list: byName, page: { to: 'x', cursor: 'f' } },
  { name: 'of another owner', list: byTime, page: { from: 2, cursor: 'j' } },
  { name: 'of an empty range', list: byTime, page: { from: 2, to: 2, cursor: 'b' } },
])('rejects a cursor $name', async ({ list, page }) => {
  await expect(readIds(list, page)).rejects.toMatchObject({ code: 'cursor-not-found' });
});

test.each<{ name: string; range: Pick<PageRequest, 'from' | 'to'> }>([
  { name: 'of a number and a string', range: { from: 1, to: 'x' } },
  { name: 'from NaN', range: { from: NaN } },
  { name: 'to infinity', range: { to: Infinity } },
])('rejects a range $name', async ({ range }) => {
  const read = () => readPage(byTime, { owner: 'alice' }, { limit: 2, ...range });
  await expect(new RequestContext().run(30_000, read)).rejects.toThrow(
    '`from` and `to` of a page must be both finite numbers or both strings.',
  );
});
