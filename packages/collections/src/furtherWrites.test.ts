/** Further writes on the embedded Firestore, whose responses may be lost: they are committed with a document, and once. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { RequestContext } from '@tattoo-marketplace/endpoints';
import {
  EmulatorClient,
  startEmbeddedFirestore,
  type EmbeddedFirestore,
} from '@tattoo-marketplace/firestore-embedded';
import { createOwned } from './createOwned.ts';
import { defineCollection } from './defineCollection.ts';
import { deleteOwned } from './deleteOwned.ts';
import { planCreation, planTransforms } from './furtherWrites.ts';
import { storedTime } from './times.ts';
import { updateOwned } from './updateOwned.ts';

const PROJECT = 'demo-further-writes';
let embedded: EmbeddedFirestore;
let store: EmulatorClient;
let proxy: Server;
let commits: number;
let lostResponses: number;

beforeAll(async () => {
  embedded = await startEmbeddedFirestore();
  store = new EmulatorClient(embedded.address, PROJECT);
  proxy = createServer((request, response) => {
    void text(request).then(async (body) => {
      const isCommit = request.url?.includes(':commit') === true;
      const headers = { Authorization: 'Bearer owner', 'Content-Type': 'application/json' };
      const url = `http://${embedded.address}${request.url}`;
      const result = await fetch(url, { method: 'POST', headers, body });
      if (isCommit) commits += 1;
      const isLost = isCommit && lostResponses > 0;
      if (isLost) lostResponses -= 1;
      response.writeHead(isLost ? 503 : result.status).end(isLost ? '' : await result.text());
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  process.env.FIRESTORE_EMULATOR_HOST = `127.0.0.1:${port}`;
  process.env.GCLOUD_PROJECT = PROJECT;
});

beforeEach(async () => {
  [commits, lostResponses] = [0, 0];
  const stored = Object.keys(await store.getAllDocuments());
  await store.write(Object.fromEntries(stored.map((path) => [path, null])));
  await store.write({
    'orders/o': { owner: 'alice', status: 'open', artistId: 'bob' },
    'profiles/bob': { name: 'Bob', count: 1, tags: ['x', 'y', 'y'] },
  });
});

afterAll(async () => {
  await new Promise((resolve) => proxy.close(resolve));
  await embedded.stop();
});

const field = 'A field of this test.';
const orders = defineCollection('orders', {
  description: 'Orders.',
  schema: z.object({
    id: z.string(),
    owner: z.string().optional().describe(field),
    status: z.string().optional().describe(field),
    artistId: z.string().optional().describe(field),
  }),
  owner: 'owner',
});
const notes = defineCollection('orders/{orderId}/notes', {
  description: 'Notes.',
  schema: z.object({
    id: z.string(),
    text: z.string().optional().describe(field),
    createdAt: storedTime.optional().describe(field),
  }),
});
const profiles = defineCollection('profiles', {
  description: 'Profiles.',
  schema: z.object({
    id: z.string(),
    count: z.number().optional().describe(field),
    tags: z.array(z.string()).optional().describe(field),
    seenAt: storedTime.optional().describe(field),
  }),
});

const selectProfile = (artistId: string) => ({ collection: profiles, document: { artistId } });
const owned = { collection: orders, documents: [{ orderId: 'o' }], callerId: 'alice' };

/** Runs a verb as a request. Returns its error code, or `done`, and the writes that it counts. */
async function run(verb: () => unknown) {
  const context = new RequestContext();
  const result = await context
    .run(10_000, () => Promise.resolve().then(verb))
    .then(
      () => 'done',
      (error: unknown) => (error as { code?: string }).code ?? String(error),
    );
  return { result, writes: context.usage.writes };
}

function createOrder(artistId = 'bob') {
  const id = 'new';
  const note = { collection: notes, params: { orderId: id }, id: 'first' };
  return createOwned(
    { collection: orders, id, callerId: 'alice' },
    { artistId },
    [],
    [
      planCreation(note, { text: 'Hi' }, ['createdAt']),
      planTransforms(selectProfile(artistId), {
        increment: { count: 2 },
        arrayUnion: { tags: ['x', 'z'] },
      }),
    ],
  );
}

const CREATED = {
  'orders/new': { owner: 'alice', artistId: 'bob' },
  'orders/new/notes/first': { text: 'Hi', createdAt: expect.any(Number) as number },
  'profiles/bob': { name: 'Bob', count: 3, tags: ['x', 'y', 'y', 'z'] },
};

function closeOrder(status = 'closed') {
  return updateOwned(owned, () => ({ status }), {
    fields: ['status', 'artistId'],
    buildFurtherWrites: ({ artistId = '' }) => [
      planTransforms(selectProfile(artistId), {
        increment: { count: 1 },
        arrayRemove: { tags: ['y'] },
      }),
    ],
  });
}

const CLOSED = {
  'orders/o': { owner: 'alice', status: 'closed', artistId: 'bob' },
  'profiles/bob': { name: 'Bob', count: 2, tags: ['x'] },
};

function deleteOrder() {
  return deleteOwned(owned, {
    fields: ['artistId'],
    buildFurtherWrites: ({ artistId = '' }) => [
      planTransforms(selectProfile(artistId), { increment: { count: -1 } }),
    ],
  });
}

const DELETED = { 'profiles/bob': { name: 'Bob', count: 0, tags: ['x', 'y', 'y'] } };

test.each([
  { name: 'creation', verb: createOrder, writes: 3, state: CREATED },
  { name: 'change', verb: closeOrder, writes: 2, state: CLOSED },
  { name: 'deletion', verb: deleteOrder, writes: 2, state: DELETED },
])('further writes are committed with a $name', async ({ verb, writes, state }) => {
  expect(await run(verb)).toEqual({ result: 'done', writes });
  expect(commits).toBe(1);
  expect(await store.getAllDocuments()).toMatchObject(state);
});

test.each([
  { name: 'creation', verb: createOrder, result: 'done', state: CREATED },
  { name: 'change', verb: closeOrder, result: 'outcome-unknown', state: CLOSED },
  { name: 'deletion', verb: deleteOrder, result: 'outcome-unknown', state: DELETED },
])('a lost response to a $name repeats no further write', async ({ verb, result, state }) => {
  lostResponses = 1;

  expect(await run(verb)).toMatchObject({ result });
  expect(commits).toBe(2);
  expect(await store.getAllDocuments()).toMatchObject(state);
});

test('a change that keeps the values of its fields has no further writes, also if its response is lost', async () => {
  const before = await store.getAllDocuments();
  lostResponses = 1;

  expect(await run(() => closeOrder('open'))).toEqual({ result: 'done', writes: 1 });
  expect(commits).toBe(2);
  expect(await store.getAllDocuments()).toEqual(before);
});

test('a repeated creation repeats no further write, even if a document that it changed is missing', async () => {
  await run(createOrder);
  expect(await run(createOrder)).toMatchObject({ result: 'done' });
  expect(await store.getAllDocuments()).toMatchObject(CREATED);

  await store.write({ 'profiles/bob': null });
  expect(await run(createOrder)).toMatchObject({ result: 'done' });
  expect(await store.get('profiles/bob')).toBeUndefined();
});

test.each<{ name: string; verb: () => Promise<unknown>; document: object; result: string }>([
  {
    name: 'a creation that changes a missing document',
    verb: () => createOrder('nobody'),
    document: {},
    result: 'not-found',
  },
  {
    name: 'a creation whose further document exists',
    verb: createOrder,
    document: { 'orders/new/notes/first': { text: 'Old' } },
    result: 'already-exists',
  },
  {
    name: 'a change with a missing document',
    verb: closeOrder,
    document: { 'profiles/bob': null },
    result: 'not-found',
  },
  {
    name: 'a deletion with a missing document',
    verb: deleteOrder,
    document: { 'profiles/bob': null },
    result: 'not-found',
  },
])('$name writes nothing, and is $result', async ({ verb, document, result }) => {
  await store.write(document as Parameters<EmulatorClient['write']>[0]);
  const before = await store.getAllDocuments();

  expect(await run(verb)).toEqual({ result, writes: 0 });
  expect(commits).toBe(1);
  expect(await store.getAllDocuments()).toEqual(before);
});

test.each<{ name: string; verb: () => unknown; message: string }>([
  {
    name: 'of a list',
    verb: () => planTransforms(selectProfile('bob'), { increment: { tags: 1 } }),
    message: 'increment of tags in profiles needs a field and an operand of the type number.',
  },
  {
    name: 'of a time, which may be a Timestamp',
    verb: () => planTransforms(selectProfile('bob'), { increment: { seenAt: 1 } }),
    message: 'increment of seenAt in profiles needs a field and an operand of the type number.',
  },
  {
    name: 'by a number that is not finite',
    verb: () => planTransforms(selectProfile('bob'), { increment: { count: NaN } }),
    message: 'increment of count in profiles needs a field and an operand of the type number.',
  },
  {
    name: 'of one field in two ways',
    verb: () =>
      planTransforms(selectProfile('bob'), { arrayUnion: { tags: [] }, arrayRemove: { tags: [] } }),
    message: 'The transforms of profiles/bob must name at least one field, and each field once.',
  },
  {
    name: 'of no field',
    verb: () => planTransforms(selectProfile('bob'), {}),
    message: 'The transforms of profiles/bob must name at least one field, and each field once.',
  },
  {
    name: 'of a document without an ID',
    verb: () => planTransforms(selectProfile(''), { increment: { count: 1 } }),
    message: 'A document of profiles needs a document ID.',
  },
  {
    name: 'without the fields that a change changes',
    verb: () => updateOwned(owned, () => ({}), { buildFurtherWrites: () => [] }),
    message: '`buildFurtherWrites` needs `fields`: those that a change gives another value.',
  },
  {
    name: 'of the document that is created',
    verb: () => {
      const order = { collection: orders, id: 'new' };
      const again = planCreation(order, {}, []);
      return createOwned({ ...order, callerId: 'alice' }, {}, [], [again]);
    },
    message: 'A commit cannot write orders/new twice, except by transforms.',
  },
  {
    name: 'that creates the document of another one',
    verb: () => {
      const further = [1, 2].map(() => planCreation({ collection: orders, id: 'other' }, {}, []));
      return createOwned({ collection: orders, id: 'new', callerId: 'alice' }, {}, [], further);
    },
    message: 'A commit cannot write orders/other twice, except by transforms.',
  },
  {
    name: 'of a document that is named twice',
    verb: () =>
      updateOwned({ ...owned, documents: [...owned.documents, ...owned.documents] }, () => ({})),
    message: 'A commit cannot write orders/o twice, except by transforms.',
  },
  {
    name: 'in a commit of 501 writes',
    verb: () => {
      const increment = planTransforms(selectProfile('bob'), { increment: { count: 1 } });
      const further = Array.from({ length: 500 }, () => increment);
      return createOwned({ collection: orders, id: 'new', callerId: 'alice' }, {}, [], further);
    },
    message: 'A commit has 501 writes, and may have 500: allow fewer documents per request.',
  },
])('rejects a further write $name', async ({ verb, message }) => {
  const { result } = await run(verb);

  expect(result).toBe(`Error: ${message}`);
  expect(commits).toBe(0);
});
