/** The triggers and the schedule of docs/extending.md. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedFirestore, EmulatorClient } from '@tattoo-marketplace/firestore-embedded';
import { createAdminSdkEnvironment } from '../../dev/adminSdkEnvironment.ts';
import { close, listen } from '../../dev/ports.ts';

const PROJECT = 'demo-examples';

let embedded: Awaited<ReturnType<typeof startEmbeddedFirestore>>;
let folder: string;
let store: EmulatorClient;

beforeAll(async () => {
  embedded = await startEmbeddedFirestore();
  folder = await mkdtemp(join(tmpdir(), 'examples-'));
  store = new EmulatorClient(embedded.address, PROJECT);
});

afterAll(async () => {
  await embedded.stop();
  await rm(folder, { recursive: true });
});

/**
 * Calls a function with each of these events, in another process with these environment variables. Jest cannot load the
 * modules that the SDK imports lazily.
 */
async function callFunction(
  name: string,
  events: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const calls = events.map((event) => `await ${name}.run(${event});`);
  const program = [`import { ${name} } from './examples/triggers/${name}.ts';`, ...calls];
  const args = ['--input-type=module', '--eval', program.join('\n')];
  const env = {
    ...process.env,
    ...(await createAdminSdkEnvironment(folder, PROJECT)),
    FIRESTORE_EMULATOR_HOST: embedded.address,
    GOOGLE_CLOUD_PROJECT: PROJECT,
    ...variables,
  };
  await promisify(execFile)(process.execPath, args, { env });
}

/** The event of a new message from alice. */
function createMessageEvent(id: string, conversationId: string): string {
  return `{ id: '${id}', params: { conversationId: '${conversationId}' }, data: { get: () => 'alice' } }`;
}

test('countMessage counts a message once for each recipient, even if its event is delivered twice', async () => {
  const conversation = { 'conversations/c': { participantIds: ['alice', 'bob', 'deleted'] } };
  await store.write({
    ...conversation,
    'users/alice': { newNotificationsCount: 1 },
    'users/bob': { newNotificationsCount: 2 },
  });
  const event = createMessageEvent('event-1', 'c');

  await callFunction('countMessage', [event, event]);

  expect(await store.getAllDocuments()).toEqual({
    ...conversation,
    'users/alice': { newNotificationsCount: 1 },
    'users/bob': { newNotificationsCount: 3 },
    'processedEvents/countMessage-event-1': expect.anything() as unknown,
  });
});

test('countMessage tolerates any participantIds, and a deleted conversation', async () => {
  const participantIds = {
    text: 'carol',
    null: null,
    emptyId: ['', 'dave'],
    slash: ['a/b', 'erin'],
    number: [7, 'frank'],
    repeated: ['grace', 'grace'],
  };
  const uids = ['carol', 'dave', 'erin', 'frank', 'grace'];
  for (const uid of uids) await store.write({ [`users/${uid}`]: { newNotificationsCount: 0 } });
  for (const [id, value] of Object.entries(participantIds)) {
    await store.write({ [`conversations/${id}`]: { participantIds: value } });
  }
  const events = [...Object.keys(participantIds), 'deleted'].map((id) =>
    createMessageEvent(`event-${id}`, id),
  );

  await callFunction('countMessage', events);

  const users = await Promise.all(uids.map((uid) => store.get(`users/${uid}`)));
  expect(users.map((user) => user?.newNotificationsCount)).toEqual([0, 1, 1, 1, 1]);
});

test('removePastEvents deletes events that ended a year ago, stored as numbers or Timestamps', async () => {
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const recentEvents = {
    'unavailableEvents/number': { endTime: Date.now() },
    'unavailableEvents/timestamp': { endTime: { timestampValue: now } },
  };
  await store.write({
    ...recentEvents,
    'unavailableEvents/oldNumber': { endTime: 0 },
    'unavailableEvents/oldTimestamp': { endTime: { timestampValue: '1970-01-01T00:00:00Z' } },
  });

  await callFunction('removePastEvents', ['{}']);

  expect(await store.getAllDocuments()).toMatchObject(recentEvents);
  expect(await store.get('unavailableEvents/oldNumber')).toBeUndefined();
  expect(await store.get('unavailableEvents/oldTimestamp')).toBeUndefined();
});

describe('removePhotoFile', () => {
  let requests: string[];
  let storage: Server;

  beforeEach(async () => {
    requests = [];
    storage = createServer((request, response) => {
      requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
      // The file exists until the first request.
      response.writeHead(requests.length === 1 ? 204 : 404).end();
    });
    await listen(storage);
  });

  afterEach(() => close(storage));

  /** Calls the function with the deletion of each of these photos. */
  async function callWithPhotos(...photos: readonly object[]): Promise<void> {
    const events = photos.map((photo) => {
      const get = `(path) => path.split('.').reduce((value, name) => value?.[name], ${JSON.stringify(photo)})`;
      return `{ data: { get: ${get} } }`;
    });
    const { port } = storage.address() as AddressInfo;
    await callFunction('removePhotoFile', events, {
      FIREBASE_STORAGE_EMULATOR_HOST: `127.0.0.1:${port}`,
      FIREBASE_CONFIG: JSON.stringify({ projectId: PROJECT, storageBucket: 'pictures' }),
    });
  }

  test('deletes the file of a photo, even if its event is delivered twice', async () => {
    const photo = { artistId: 'alice', sourceData: { storageRef: 'gallery/alice/000.jpg' } };

    await callWithPhotos(photo, photo);

    const deletion = expect.stringMatching(
      /^DELETE \/(storage\/v1\/)?b\/pictures\/o\/gallery%2Falice%2F000\.jpg/,
    ) as unknown;
    expect(requests).toEqual([deletion, deletion]);
  });

  test('deletes nothing for a photo without a file, or with the file of another artist', async () => {
    const artistId = 'alice';

    await callWithPhotos(
      { artistId },
      { artistId, sourceData: { storageRef: '' } },
      { artistId, sourceData: { storageRef: 7 } },
      { artistId, sourceData: { storageRef: 'gallery/bob/000.jpg' } },
      { artistId, sourceData: { storageRef: 'gallery/alice2/000.jpg' } },
      { sourceData: { storageRef: 'gallery/undefined/000.jpg' } },
      { artistId: '', sourceData: { storageRef: 'gallery//000.jpg' } },
    );

    expect(requests).toEqual([]);
  });
});
