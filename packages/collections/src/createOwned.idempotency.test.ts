/** Requests that create the same document: `Idempotency-Key`. */
import * as z from 'zod';
import {
  startEmbeddedFirestore,
  LocalFirestore,
  type EmbeddedFirestore,
} from '@tattoo-marketplace/firestore-embedded';
import { Created, defineEndpoint } from '@tattoo-marketplace/endpoints';
import {
  createIdTokenClaims,
  signToken,
  createSigningKey,
} from '../../../dev/fakeGoogle/idTokens.ts';
import { defineCollection } from './defineCollection.ts';
import { createOwned } from './ownedDocuments.ts';
import { useFunctionsEnvironment } from '../../../dev/testing/functionsEnvironment.ts';
import { sendRawRequest } from '../../../dev/testing/sendRawRequest.ts';
import { useServedEndpoint, DOC_PLACEHOLDERS } from '../../../dev/testing/servedEndpoint.ts';
import { publishKeys } from '../../../dev/testing/stubGoogle.ts';

const PROJECT = 'demo-new-id';
const SIGNING_KEY = createSigningKey('key-1');

useFunctionsEnvironment(PROJECT);

let firestore: EmbeddedFirestore;
let store: LocalFirestore;

beforeAll(async () => {
  firestore = await startEmbeddedFirestore();
  process.env.FIRESTORE_EMULATOR_HOST = firestore.address;
  store = new LocalFirestore(firestore.address, PROJECT);
  publishKeys(SIGNING_KEY);
});

afterAll(() => firestore.stop());

const things = defineCollection('things', {
  description: 'Things of this test.',
  schema: z.object({
    id: z.string(),
    owner: z.string().optional().describe('A field of this test.'),
    text: z.string().optional().describe('A field of this test.'),
  }),
  owner: 'owner',
});

/** An endpoint that creates a thing. */
function creating(method: 'POST' | 'PUT', path: `/${string}`) {
  return useServedEndpoint(
    defineEndpoint({
      ...DOC_PLACEHOLDERS,
      method,
      path,
      access: 'signedIn',
      params: z.object({ place: z.string() }),
      body: z.object({ text: z.string() }),
      response: Created,
      createsDocument: true,
      handle: async ({ body, caller, newDocumentId: id }) => ({
        id: await createOwned({ collection: things, id, caller: caller.uid }, body, []),
      }),
    }),
  );
}

const posted = creating('POST', '/places/{place}/things');
const put = creating('PUT', '/places/{place}/things');
const elsewhere = creating('POST', '/rooms/{place}/things');

let keys = 0;

beforeEach(() => {
  keys += 1;
});

/** The parts of a request that a test changes. */
interface Sent {
  readonly key?: string | string[] | undefined;
  readonly body?: string;
  readonly path?: string;
  readonly uid?: string;
  readonly served?: typeof posted;
  readonly method?: string;
}

/** Sends a request with a key of the test. */
async function send(sent: Sent = {}) {
  const { key, uid, path, body, served, method } = {
    key: `key-${keys}`,
    uid: 'alice',
    path: '/places/a/things',
    served: posted,
    method: 'POST',
    body: '{"text":"a","more":{"b":2,"c":1}}',
    ...sent,
  };
  const { status, text, headers } = await sendRawRequest(served.origin, path, {
    method,
    headers: {
      Authorization: `Bearer ${signToken(SIGNING_KEY, createIdTokenClaims(PROJECT, uid))}`,
      'Content-Type': 'application/json',
      ...(key !== undefined && { 'Idempotency-Key': key }),
    },
    body,
  });
  const { id, message } = JSON.parse(text) as { id?: string; message?: string };
  return { status, id, message, code: headers['x-error-code'] };
}

test.each<{ name: string; sent: Sent }>([
  { name: 'is repeated', sent: {} },
  { name: 'has its keys in another order', sent: { body: '{"more":{"c":1.0,"b":2}, "text":"a"}' } },
  { name: 'differs in a field that the endpoint ignores', sent: { body: '{"text":"a","more":1}' } },
  {
    name: 'has an escaped path, below /api, and a query',
    sent: { path: '/api/places/%61/things?limit=7' },
  },
])('a request that $name creates one document', async ({ sent }) => {
  const { id = '' } = await send();

  expect(await send(sent)).toMatchObject({ status: 200, id });
  expect(await store.get(`things/${id}`)).toEqual({ owner: 'alice', text: 'a' });
});

test.each<{ name: string; sent: Sent; first?: Sent }>([
  { name: 'key', sent: { key: '~'.repeat(200) } },
  { name: 'body', sent: { body: '{"text":"b"}' } },
  { name: 'path', sent: { path: '/places/A/things' } },
  { name: 'template', sent: { served: elsewhere, path: '/rooms/a/things' } },
  { name: 'method', sent: { served: put, method: 'PUT' } },
  { name: 'user', sent: { uid: 'bob' } },
  { name: 'key, as it has none', sent: { key: undefined }, first: { key: undefined } },
])('a request with another $name creates another document', async ({ sent, first }) => {
  const { id } = await send(first);
  const other = await send(sent);

  expect([other.status, other.id === id]).toEqual([200, false]);
});

test.each([
  { name: 'an empty one', key: '' },
  { name: 'one of 201 characters', key: 'x'.repeat(201) },
  { name: 'one with a letter beyond ASCII', key: 'é' },
  { name: 'two', key: ['a', 'b'] },
])('rejects $name as Idempotency-Key', async ({ key }) => {
  expect(await send({ key })).toMatchObject({
    status: 400,
    code: 'invalid-argument',
    message: 'Idempotency-Key must be 1 to 200 visible ASCII characters.',
  });
});

test('requests at once with the same key create one document', async () => {
  const before = Object.keys(await store.getAllDocuments()).length;
  const sent = await Promise.all(Array.from({ length: 5 }, () => send()));

  expect(new Set(sent.map(({ status, id }) => `${status} ${id ?? ''}`)).size).toBe(1);
  expect(Object.keys(await store.getAllDocuments())).toHaveLength(before + 1);
});

test('a retry re-creates a deleted document, and never overwrites an existing one', async () => {
  const { id = '' } = await send();
  const path = `things/${id}`;
  await store.write({ [path]: null });

  expect(await send()).toMatchObject({ status: 200, id });
  expect(await store.get(path)).toEqual({ owner: 'alice', text: 'a' });
  await store.set(path, { owner: 'alice', text: 'new' });
  expect(await send()).toMatchObject({ status: 200, id });
  expect(await store.get(path)).toEqual({ owner: 'alice', text: 'new' });
  await store.set(path, { owner: 'bob' });
  expect(await send()).toMatchObject({ status: 409, code: 'already-exists' });
  expect(await store.get(path)).toEqual({ owner: 'bob' });
});
