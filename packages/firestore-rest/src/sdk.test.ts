/** Why the package does not use Firestore's SDK over REST: it takes part of a list for the whole. */
import { createRequire } from 'node:module';
import type { Firestore } from 'firebase-admin/firestore';
import {
  respondsWith,
  respondsWithText,
  startScriptedServer,
  type Reaction,
  type ScriptedServer,
} from '../../../test/support/scriptedServer.ts';

const admin = createRequire(require.resolve('firebase-admin'));
const { Firestore: Sdk } = admin('@google-cloud/firestore') as {
  readonly Firestore: new (settings: object) => Firestore;
};

let server: ScriptedServer;
let sdk: Firestore;

beforeAll(async () => {
  server = await startScriptedServer();
  const getRequestHeaders = () => Promise.resolve({ Authorization: 'Bearer owner' });
  const auth = { getClient: () => Promise.resolve({ getRequestHeaders }) };
  const connection = { host: server.address, ssl: false, preferRest: true };
  sdk = new Sdk({ projectId: 'demo', auth, ...connection });
});

afterAll(async () => {
  await sdk.terminate();
  await server.stop();
});

const TIME = '2026-01-01T00:00:00Z';
const [first, second] = ['a', 'b'].map((id) => {
  const name = `projects/demo/databases/(default)/documents/flash/${id}`;
  return { document: { name, fields: {}, createTime: TIME, updateTime: TIME }, readTime: TIME };
});
const error = { error: { code: 503, status: 'UNAVAILABLE', message: 'Why.' } };
const cut = JSON.stringify([first, second]).slice(0, -30);

/** A body without a length, which ends with its connection. */
const unframed: Reaction = ({ socket }) => {
  socket?.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${cut}`);
};

test.each([
  ['ends within a document, under a length that says so', respondsWithText(cut), ['a']],
  ['ends with its connection, without a length', unframed, ['a']],
  ['ends with an error', respondsWith([first, error]), ['a']],
  ['is whole', respondsWith([first, second]), ['a', 'b']],
])('a query of the SDK over REST that %s is answered without an error', async (...row) => {
  const [, reaction, ids] = row;
  server.play(reaction);

  const { docs } = await sdk.collection('flash').get();

  expect(docs.map(({ id }) => id)).toEqual(ids);
});
