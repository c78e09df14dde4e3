import { mkdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { overRest } from '../../dev/adminSdk.ts';
import { startEmbeddedFirestore } from '../../dev/firestore/server.ts';
import { Store } from '../../dev/shared/store.ts';
import { findOfficialFirestore, startOfficialFirestore } from '../../dev/officialFirestore.ts';
import { freePortList, LOOPBACK } from '../../dev/ports.ts';
import { serveDeployed } from '../../dev/shared/deployedFunction.ts';
import type { Cloud } from './cloud/cloud.ts';
import type { Resource } from './cloud/resources.ts';
import { firebase } from './commands.ts';
import { runScript } from './commands.ts';
import type { CloudFunction } from '../checks/resources.ts';
import type { Workspace } from './workspace.ts';
import { checkEnd, checkEqual, show, step } from './report.ts';
import { PROJECT, projectIn, REGION } from './setting.ts';

const JEST = 'node_modules/jest/bin/jest.js';
const TSC = 'node_modules/typescript/lib/tsc.js';

const TRIGGER = 'notifications-countMessage';
const SCHEDULE = 'unavailableEvents-removePastEvents';

/** The question about functions that are retried. */
export const RETRY = 'Would you like to proceed with deployment?';

const LOCATION = `projects/${PROJECT}/locations/${REGION}`;

/** Adds the functions of docs/extending.md to the deployed project, and calls them. */
export async function deployOwnFunctions(cloud: Cloud, workspace: Workspace): Promise<void> {
  step('Functions of one’s own: those of docs/extending.md');
  await addOwnFunctions(workspace);
  for (const project of ['functions', '.']) {
    const types = await runScript(workspace.folder, [TSC, '-p', project], process.env);
    checkEnd(`the types of ${project} are right`, types, { status: 0 });
  }
  const tests = ['tools/checks/completeness', 'test/notifications/countMessage'];
  const args = [JEST, '--selectProjects', 'in-process', '--', ...tests];
  const tested = await runScript(workspace.folder, args, process.env);
  checkEnd('every endpoint is complete, and the unit test of the trigger passes', tested, {
    status: 0,
    prints: '2 passed, 2 total',
  });

  const namesOf = async () => (await projectIn(cloud)).functions.map(({ name }) => basename(name));
  const before = await namesOf();
  const command = ['deploy', '--only', 'functions'];
  const deployed = await firebase(cloud, workspace, command, { [RETRY]: 'y' });
  checkEnd('they deploy', deployed, { status: 0, prints: 'Deploy complete!' });
  const added = (await namesOf()).filter((name) => !before.includes(name));
  checkEqual('and nothing else is added', added.sort(), [TRIGGER, SCHEDULE]);
  const trigger = functionOf(cloud, TRIGGER);
  const job = cloud.resources.get(`${LOCATION}/jobs/firebase-schedule-${SCHEDULE}-${REGION}`);
  checkEqual(
    'as a trigger of Firestore and a schedule',
    [trigger.eventTrigger?.eventType, (job as { schedule?: string }).schedule],
    ['google.cloud.firestore.document.v1.created', 'every day 04:00'],
  );
  await callThem(cloud, workspace);
}

function guide(): Promise<string> {
  return readFile('docs/extending.md', 'utf8');
}

/** Adds the functions of docs/extending.md to a copy of the project. */
async function addOwnFunctions(workspace: Workspace): Promise<void> {
  for (const [, path = '', code = ''] of (await guide()).matchAll(
    /^```ts\n\/\/ (\S+)\n([^]*?)^```$/gm,
  )) {
    if (path === 'functions/src/index.ts') {
      await workspace.change(path, (map) => withGroups(map, code));
    } else {
      await mkdir(join(workspace.folder, dirname(path)), { recursive: true });
      await workspace.write(path, code);
    }
  }
}

/** The deploy map with groups that replace those of the same name. */
function withGroups(map: string, groups: string): string {
  const names = [...groups.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name);
  const old = new RegExp(`^export const (${names.join('|')}) = [^;]*;\n`, 'gm');
  return `${map.replace(old, '')}${groups}`;
}

function functionOf({ resources }: Cloud, id: string): CloudFunction {
  return resources.get(`${LOCATION}/functions/${id}`) as Resource & CloudFunction;
}

/** Calls the functions with the embedded Firestore, and with Google's emulator, which not every machine has. */
async function callThem(cloud: Cloud, { folder }: Workspace): Promise<void> {
  const embedded = await startEmbeddedFirestore();
  try {
    const env = { ...(await overRest(folder)), FIRESTORE_EMULATOR_HOST: embedded.address };
    await callWith('the embedded Firestore', env, cloud, folder);
  } finally {
    await embedded.stop();
  }
  const official = await findOfficialFirestore().catch((error: unknown) => {
    show(`Not called on Google’s emulator: ${String(error)}`);
  });
  if (official === undefined) return;
  const [port = 0] = await freePortList(1);
  const emulator = await startOfficialFirestore(official, port);
  try {
    const env = { FIRESTORE_EMULATOR_HOST: `${LOOPBACK}:${port}` };
    await callWith('Google’s emulator', env, cloud, folder);
  } finally {
    await emulator.stop();
  }
}

/** Calls the functions like the platform, each twice, with a Firestore. */
async function callWith(
  firestore: string,
  env: { readonly FIRESTORE_EMULATOR_HOST: string },
  cloud: Cloud,
  folder: string,
): Promise<void> {
  const store = new Store(env.FIRESTORE_EMULATOR_HOST, PROJECT);
  const call = async (id: string, type: string, body: string) => {
    const variables = { ...functionOf(cloud, id).serviceConfig.environmentVariables, ...env };
    const served = await serveDeployed(id, variables, join(folder, 'functions'));
    const init = { method: 'POST', headers: { 'Content-Type': type }, body };
    const send = async () => (await fetch(served.origin, init)).ok;
    try {
      return [await send(), await send()];
    } finally {
      await served.stop();
    }
  };
  const now = Date.now();
  const conversation = { participantIds: ['alice', 'bob', 'gone'] };
  const recent = {
    'unavailableEvents/number': { endTime: now },
    'unavailableEvents/timestamp': { endTime: { timestampValue: new Date(now).toISOString() } },
  };
  await store.write({
    'conversations/c1': conversation,
    'users/bob': { newNotificationsCount: 2 },
    ...recent,
    'unavailableEvents/oldNumber': { endTime: 0 },
    'unavailableEvents/oldTimestamp': { endTime: { timestampValue: new Date(0).toISOString() } },
  });
  const [, event = ''] = /cloudevents\+json' -d '([^']*)'/.exec(await guide()) ?? [];
  const statuses = [
    ...(await call(TRIGGER, 'application/cloudevents+json', event)),
    ...(await call(SCHEDULE, 'application/json', '{}')),
  ];
  const { 'processedEvents/countMessage-event-1': marker, ...documents } = await store.everything();
  checkEqual(
    `on ${firestore}: an event that comes twice counts once, and past events are removed`,
    [statuses, marker !== undefined, documents],
    [
      [true, true, true, true],
      true,
      { 'conversations/c1': conversation, 'users/bob': { newNotificationsCount: 3 }, ...recent },
    ],
  );
}
