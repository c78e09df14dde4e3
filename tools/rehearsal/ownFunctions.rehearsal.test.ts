/** The functions of docs/extending.md, added to the copy: they deploy, and work when called like on the platform. */
import { basename, join } from 'node:path';
import { overRest } from '../../dev/adminSdk.ts';
import { startEmbeddedFirestore } from '@tattoo-marketplace/firestore-embedded';
import { findOfficialFirestore, startOfficialFirestore } from '../../dev/officialFirestore.ts';
import { freePortList, LOOPBACK } from '../../dev/ports.ts';
import { serveDeployed } from '../../test/support/deployedFunction.ts';
import { deployedEndpoints } from '../../functions/declared/deployMap.ts';
import { Store } from '../../functions/declared/store.ts';
import type { CloudFunction } from '../checks/resources.ts';
import { followGuide } from '../docs/guide.ts';
import { runScript } from './commands.ts';
import {
  AT_TERMINAL,
  ending,
  PROJECT,
  REGION,
  startRehearsal,
  type Rehearsal,
} from './rehearsal.ts';

const JEST = 'node_modules/jest/bin/jest.js';
const TSC = 'node_modules/typescript/lib/tsc.js';

const TRIGGER = 'notifications-countMessage';
const SCHEDULE = 'unavailableEvents-removePastEvents';

const LOCATION = `projects/${PROJECT}/locations/${REGION}`;

const DATABASE = 'projects/demo-tattoo/databases/(default)';
const MESSAGE = 'conversations/conversation-mara-robin/messages/m1';
const NOW = '2026-11-22T00:00:00Z';
/** A new message, as the platform sends it to the trigger. */
const EVENT = {
  specversion: '1.0',
  id: 'event-1',
  type: 'google.cloud.firestore.document.v1.created',
  source: `//firestore.googleapis.com/${DATABASE}`,
  subject: `documents/${MESSAGE}`,
  document: MESSAGE,
  time: NOW,
  datacontenttype: 'application/json',
  location: 'us-central1',
  project: 'demo-tattoo',
  database: '(default)',
  namespace: '(default)',
  data: {
    value: {
      name: `${DATABASE}/documents/${MESSAGE}`,
      fields: { senderId: { stringValue: 'client-robin-adeyemi' } },
      createTime: NOW,
      updateTime: NOW,
    },
  },
};

let rehearsal: Rehearsal;

beforeAll(async () => {
  rehearsal = await startRehearsal();
  await followGuide(rehearsal.folder, 'Add a function that is not an endpoint');
  expect(await rehearsal.firebase(['deploy'], AT_TERMINAL)).toEqual(ending(0, 'Deploy complete!'));
});

afterAll(() => rehearsal.stop());

test('their types are right, and the contract still has every endpoint', async () => {
  const run = (...script: string[]) => runScript(rehearsal.folder, script, process.env);
  const contract = 'test/contract/contract.test';

  expect(await run(TSC, '-p', '.')).toEqual(ending(0));
  expect(await run(JEST, '--selectProjects', 'in-process', '--', contract)).toEqual(ending(0));
});

test('they are deployed beside the endpoints, as a trigger of Firestore and a schedule', async () => {
  const { functions } = await rehearsal.project();
  const job = rehearsal.cloud.resources.get(
    `${LOCATION}/jobs/firebase-schedule-${SCHEDULE}-${REGION}`,
  );

  expect(functions.map(({ name }) => basename(name)).sort()).toEqual(
    [...deployedEndpoints.map(({ functionId }) => functionId), TRIGGER, SCHEDULE].sort(),
  );
  expect(functionOf(TRIGGER)).toMatchObject({
    eventTrigger: { eventType: 'google.cloud.firestore.document.v1.created' },
  });
  expect(job).toMatchObject({ schedule: 'every day 04:00' });
});

test('on the embedded Firestore, an event that comes twice counts once, and past events are removed', async () => {
  const embedded = await startEmbeddedFirestore();
  try {
    await expectWork(embedded.address, await overRest(rehearsal.folder, PROJECT));
  } finally {
    await embedded.stop();
  }
});

test('on Google’s emulator, where there is one, too', async () => {
  const official = await findOfficialFirestore().catch(() => undefined);
  if (official === undefined) return;
  const [port = 0] = await freePortList(1);
  const emulator = await startOfficialFirestore(official, port);
  try {
    await expectWork(`${LOOPBACK}:${port}`, {});
  } finally {
    await emulator.stop();
  }
});

function functionOf(id: string): CloudFunction {
  return rehearsal.cloud.resources.get(`${LOCATION}/functions/${id}`) as CloudFunction;
}

/** Calls both functions like the platform, each twice, with a Firestore at `host:port`. */
async function expectWork(address: string, variables: Readonly<Record<string, string>>) {
  const store = new Store(address, PROJECT);
  const past = new Date(0).toISOString();
  // Without a fraction, which Firestore leaves out where it is zero.
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const kept = {
    'conversations/conversation-mara-robin': {
      participantIds: ['client-robin-adeyemi', 'bob', 'gone'],
    },
    'unavailableEvents/number': { endTime: Date.now() },
    'unavailableEvents/timestamp': { endTime: { timestampValue: now } },
  };
  await store.write({
    ...kept,
    'users/bob': { newNotificationsCount: 2 },
    'unavailableEvents/oldNumber': { endTime: 0 },
    'unavailableEvents/oldTimestamp': { endTime: { timestampValue: past } },
  });

  const env = { ...variables, FIRESTORE_EMULATOR_HOST: address };
  await callTwice(TRIGGER, env, 'application/cloudevents+json', EVENT);
  await callTwice(SCHEDULE, env, 'application/json', {});

  const marker = 'processedEvents/countMessage-event-1';
  expect(await store.everything()).toEqual({
    ...kept,
    'users/bob': { newNotificationsCount: 3 },
    [marker]: expect.anything() as unknown,
  });
}

async function callTwice(
  id: string,
  env: Readonly<Record<string, string>>,
  type: string,
  body: object,
): Promise<void> {
  const { environmentVariables } = functionOf(id).serviceConfig;
  const folder = join(rehearsal.folder, 'functions');
  const served = await serveDeployed(id, { ...environmentVariables, ...env }, folder);
  try {
    const sent = JSON.stringify(body);
    const init = { method: 'POST', headers: { 'Content-Type': type }, body: sent };
    expect((await fetch(served.origin, init)).ok).toBe(true);
    expect((await fetch(served.origin, init)).ok).toBe(true);
  } finally {
    await served.stop();
  }
}
