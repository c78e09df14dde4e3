/** Tests that another service can be built on the packages: it runs in processes of its own, over HTTP. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  startEmbeddedFirestore,
  EmulatorClient,
  type EmbeddedFirestore,
} from '@tattoo-marketplace/firestore-embedded';
import {
  startFunctionProcess,
  type FunctionProcess,
} from '../../test/support/processes/functionProcess.ts';
import { startFakeGoogle, type FakeGoogle } from '../../test/support/google/fakeGoogle.ts';
import { sendRawRequest } from '../../test/support/requests/sendRawRequest.ts';

const PROJECT = 'demo-notes';
const NOTES = 'examples/service';

let folder: string;
let firestore: EmbeddedFirestore;
let google: FakeGoogle;
const processes: FunctionProcess[] = [];

beforeAll(async () => {
  // Below node_modules, where the Functions Framework can be resolved.
  const cache = 'node_modules/.cache';
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(process.cwd(), cache, 'notes-'));
  const args = [join(NOTES, 'build.js'), join(folder, 'lib')];
  await promisify(execFile)(process.execPath, args);
  await copyFile(join(NOTES, 'package.json'), join(folder, 'package.json'));
  firestore = await startEmbeddedFirestore();
  google = await startFakeGoogle({ projectId: PROJECT, firestoreAddress: firestore.address });
});

afterAll(async () => {
  await Promise.all(processes.map((functionProcess) => functionProcess.stop()));
  await google.stop();
  await firestore.stop();
  await rm(folder, { recursive: true });
});

/** Serves a function. Returns a function that calls it. */
async function serve(functionId: string, parameters: Readonly<Record<string, string>> = {}) {
  const environment = { ...google.environment, ...parameters };
  const { origin, ...child } = await startFunctionProcess(functionId, environment, folder);
  processes.push({ origin, ...child });
  return async (uid: string, method: string, body?: object, key?: string) => {
    const { status, text } = await sendRawRequest(origin, '/', {
      method,
      headers: {
        Authorization: `Bearer ${google.createIdToken(uid)}`,
        ...(body && { 'Content-Type': 'application/json' }),
        ...(key && { 'Idempotency-Key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status, json: JSON.parse(text) as Readonly<Record<string, unknown>> };
  };
}

test('only the author of a note can list, rename and remove it, and a repeated creation has no effect', async () => {
  const [create, list, rename, remove] = await Promise.all([
    serve('notes-create'),
    serve('notes-list'),
    serve('notes-rename'),
    serve('notes-remove'),
  ]);
  const store = new EmulatorClient(firestore.address, PROJECT);

  const { json } = await create('alice', 'POST', {}, 'one');
  const id = json.id as string;
  expect(await create('alice', 'POST', {}, 'one')).toEqual({ status: 200, json: { id } });
  const note = { id, author: 'alice', title: 'Untitled', createdAt: expect.any(Number) as number };
  expect(Object.keys(await store.getAllDocuments())).toEqual([`notes/${id}`]);
  expect((await list('alice', 'GET')).json).toEqual({ notes: [note], hasMore: false });
  expect((await list('bob', 'GET')).json).toEqual({ notes: [], hasMore: false });

  const renaming = { noteId: id, title: 'Ink' };
  expect((await rename('bob', 'PUT', renaming)).status).toBe(403);
  expect((await rename('alice', 'PUT', renaming)).status).toBe(200);
  expect(await store.get(`notes/${id}`)).toMatchObject({ author: 'alice', title: 'Ink' });

  expect((await remove('bob', 'DELETE', { noteId: id })).status).toBe(403);
  expect((await remove('alice', 'DELETE', { noteId: id })).status).toBe(200);
  expect((await remove('alice', 'DELETE', { noteId: id })).status).toBe(404);
});

test('a service can declare its own parameters', async () => {
  const create = await serve('notes-create', { READ_ONLY: 'true' });

  expect(await create('alice', 'POST', {})).toEqual({
    status: 403,
    json: { message: 'Notes are read-only.' },
  });
});

test('unknownPath responds with 404, and does not parse the body', async () => {
  await serve('unknownPath');
  const { origin = '' } = processes.at(-1) ?? {};

  const { status, text } = await sendRawRequest(origin, '/api/unknown', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: '{bad',
  });

  expect([status, text]).toEqual([404, '{"message":"There is no endpoint at this path."}']);
});
