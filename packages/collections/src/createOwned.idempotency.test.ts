/** The documents that requests with an `Idempotency-Key` create. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import {
  startEmbeddedFirestore,
  EmulatorClient,
  type EmbeddedFirestore,
} from '@tattoo-marketplace/firestore-embedded';
import { Created, defineEndpoint } from '@tattoo-marketplace/endpoints';
import {
  createIdTokenClaims,
  signToken,
  createSigningKey,
} from '../../../test/support/google/idTokens.ts';
import { defineCollection } from './defineCollection.ts';
import { createOwned } from './createOwned.ts';
import { useFunctionsEnvironment } from '../../../test/support/jest/isolateEnvironment.ts';
import { sendRawRequest } from '../../../test/support/requests/sendRawRequest.ts';
import {
  useServedEndpoint,
  DOC_PLACEHOLDERS,
} from '../../../test/support/processes/servedEndpoint.ts';
import { publishKeys } from '../../../test/support/google/stubGoogle.ts';

const PROJECT = 'demo-new-id';
const SIGNING_KEY = createSigningKey('key-1');

useFunctionsEnvironment(PROJECT);

let firestore: EmbeddedFirestore;
let store: EmulatorClient;

beforeAll(async () => {
  firestore = await startEmbeddedFirestore();
  process.env.FIRESTORE_EMULATOR_HOST = firestore.address;
  store = new EmulatorClient(firestore.address, PROJECT);
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

/** Serves an endpoint that creates a thing. `extra` are further fields of its body. */
function serveCreation(method: 'POST' | 'PUT', path: `/${string}`, extra: z.ZodRawShape = {}) {
  return useServedEndpoint(
    defineEndpoint({
      ...DOC_PLACEHOLDERS,
      method,
      path,
      access: 'signedIn',
      params: z.object({ place: z.string() }),
      body: z.object({ text: z.string(), ...extra }),
      response: Created,
      createsDocument: true,
      handle: async ({ body: { text }, caller, newDocumentId: id }) => ({
        id: await createOwned({ collection: things, id, callerId: caller.uid }, { text }, []),
      }),
    }),
  );
}

const postToPlaces = serveCreation('POST', '/places/{place}/things');
const postToPlacesWithDefault = serveCreation('POST', '/places/{place}/things', {
  kind: z.string().default('new'),
});
const putToPlaces = serveCreation('PUT', '/places/{place}/things');
const postToRooms = serveCreation('POST', '/rooms/{place}/things');

/** A key that no other test uses. */
let newKey: string;

beforeEach(() => {
  newKey = randomUUID();
});

/** The parts of a request that a test changes. */
interface RequestParts {
  readonly key?: string | string[] | undefined;
  readonly body?: string;
  readonly path?: string;
  readonly uid?: string;
  readonly endpoint?: typeof postToPlaces;
  readonly method?: string;
}

/** Sends a request of alice with a new key, except for the changed parts. */
async function send(changes: RequestParts = {}) {
  const { key, uid, path, body, endpoint, method } = {
    key: newKey,
    uid: 'alice',
    path: '/places/a/things',
    endpoint: postToPlaces,
    method: 'POST',
    body: '{"text":"a","more":{"b":2,"c":1}}',
    ...changes,
  };
  const { status, text, headers } = await sendRawRequest(endpoint.origin, path, {
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

test.each<{ name: string; changes: RequestParts }>([
  { name: 'is identical', changes: {} },
  {
    name: 'has its fields in another order',
    changes: { body: '{"more":{"c":1.0,"b":2}, "text":"a"}' },
  },
  {
    name: 'has an escaped path below /api and a query',
    changes: { path: '/api/places/%61/things?limit=7' },
  },
])('a second request that $name creates no second document', async ({ changes }) => {
  const { id = '' } = await send();

  expect(await send(changes)).toMatchObject({ status: 200, id });
  expect(await store.get(`things/${id}`)).toEqual({ owner: 'alice', text: 'a' });
});

test.each<{ name: string; changes: RequestParts }>([
  { name: 'another key', changes: { key: '~'.repeat(200) } },
  { name: 'another body', changes: { body: '{"text":"b"}' } },
  {
    name: 'another value of a field that the endpoint ignores',
    changes: { body: '{"text":"a","more":1}' },
  },
  { name: 'another path', changes: { path: '/places/A/things' } },
  {
    name: 'another path template',
    changes: { endpoint: postToRooms, path: '/rooms/a/things' },
  },
  { name: 'another method', changes: { endpoint: putToPlaces, method: 'PUT' } },
  { name: 'another user', changes: { uid: 'bob' } },
])('a second request with $name creates a second document', async ({ changes }) => {
  const first = await send();
  const second = await send(changes);

  expect(second.status).toBe(200);
  expect(second.id).not.toBe(first.id);
});

test('a repeat after a deploy that adds a field with a default creates no second document', async () => {
  const { id } = await send();

  expect(await send({ endpoint: postToPlacesWithDefault })).toMatchObject({ status: 200, id });
});

test('each request without a key creates a document', async () => {
  const first = await send({ key: undefined });
  const second = await send({ key: undefined });

  expect(second.status).toBe(200);
  expect(second.id).not.toBe(first.id);
});

test.each([
  { name: 'an empty key', key: '' },
  { name: 'a key of 201 characters', key: 'x'.repeat(201) },
  { name: 'a key that is not ASCII', key: 'é' },
  { name: 'two keys', key: ['a', 'b'] },
])('rejects $name', async ({ key }) => {
  expect(await send({ key })).toMatchObject({
    status: 400,
    code: 'invalid-argument',
    message: 'Idempotency-Key must be 1 to 200 visible ASCII characters.',
  });
});

test('concurrent requests with the same key create one document', async () => {
  const countBefore = Object.keys(await store.getAllDocuments()).length;
  const responses = await Promise.all(Array.from({ length: 5 }, () => send()));

  expect(new Set(responses.map(({ status, id }) => `${status} ${id ?? ''}`)).size).toBe(1);
  expect(Object.keys(await store.getAllDocuments())).toHaveLength(countBefore + 1);
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
