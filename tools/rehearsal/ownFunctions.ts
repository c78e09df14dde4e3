import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Firestore } from 'firebase-admin/firestore';
import { findOfficialFirestore, startOfficialFirestore } from '../../dev/officialFirestore.ts';
import { freePortList, LOOPBACK } from '../../dev/ports.ts';
import { ROOT } from '../../dev/root.ts';
import { serveDeployed } from '../../dev/shared/deployedFunction.ts';
import type { Cloud } from './cloud/cloud.ts';
import type { Resource } from './cloud/resources.ts';
import { firebase } from './firebaseCli.ts';
import { runScript } from './run.ts';
import type { CloudFunction } from '../checks/resources.ts';
import type { Workspace } from './workspace.ts';
import { check, checkEnd, checkEqual, show, step } from './report.ts';
import { functionsOf, PROJECT, REGION } from './setting.ts';

const JEST = 'node_modules/jest/bin/jest.js';
const TSC = 'node_modules/typescript/lib/tsc.js';

const TRIGGER = 'notifications-countMessage';
const SCHEDULE = 'unavailableEvents-removePastEvents';

const LOCATION = `projects/${PROJECT}/locations/${REGION}`;
const DOCUMENTS = `projects/${PROJECT}/databases/(default)/documents`;
const MESSAGE = 'conversations/c/messages/m';

/** Adds the functions of README.md to the deployed project, and calls them. */
export async function deployOwnFunctions(cloud: Cloud, workspace: Workspace): Promise<void> {
  step('Functions of one’s own: the example of README.md');
  await addOwnFunctions(workspace);
  for (const project of ['functions', '.']) {
    const types = await runScript(workspace.folder, [TSC, '-p', project], process.env);
    checkEnd(`the types of ${project} are right`, types, { status: 0 });
  }
  const args = [JEST, '--selectProjects', 'in-process', '--', 'test/completeness'];
  const complete = await runScript(workspace.folder, args, process.env);
  checkEnd('every endpoint is complete', complete, { status: 0 });

  const namesOf = () => functionsOf(cloud).map(({ name }) => basename(name));
  const before = namesOf();
  const deployed = await firebase(cloud, workspace, ['deploy', '--only', 'functions']);
  checkEnd('they deploy', deployed, { status: 0, prints: 'Deploy complete!' });
  const added = namesOf().filter((name) => !before.includes(name));
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

/** Adds the functions of README.md, "Add a function that is no endpoint", to a copy of the project. */
async function addOwnFunctions(workspace: Workspace): Promise<void> {
  const readme = await readFile('README.md', 'utf8');
  const [, section = ''] = readme.split('## Add a function that is no endpoint\n');
  const files = section.split('\n## ')[0]?.matchAll(/^```ts\n\/\/ (\S+)\n([^]*?)^```$/gm) ?? [];
  for (const [, path = '', code = ''] of files) {
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

/** Calls the functions like the platform, on Google's Firestore emulator, which not every machine has. */
async function callThem(cloud: Cloud, workspace: Workspace): Promise<void> {
  const official = await findOfficialFirestore().catch((error: unknown) => {
    show(`Not called: ${String(error)}`);
  });
  if (official === undefined) return;
  const [port = 0] = await freePortList(1);
  const emulator = await startOfficialFirestore(official, port);
  const host = `${LOOPBACK}:${port}`;
  const firestore = new Firestore({ projectId: PROJECT, host, ssl: false });
  const call = async (id: string, headers: Readonly<Record<string, string>>, body?: Uint8Array) => {
    const { environmentVariables } = functionOf(cloud, id).serviceConfig;
    const variables = { ...environmentVariables, FIRESTORE_EMULATOR_HOST: host };
    const served = await serveDeployed(id, variables, join(workspace.folder, 'functions'));
    try {
      const init = { method: 'POST', headers, ...(body && { body: Buffer.from(body) }) };
      return (await fetch(served.origin, init)).status;
    } finally {
      await served.stop();
    }
  };
  try {
    await firestore.doc('conversations/c').set({ participantIds: ['alice', 'bob'] });
    await firestore.doc('users/bob').set({ newNotificationsCount: 2 });
    await firestore.doc('unavailableEvents/old').set({ endTime: 0 });
    await firestore.doc('unavailableEvents/new').set({ endTime: Date.now() });

    const counted = await call(TRIGGER, eventHeaders(), createdMessage());
    const bob = await firestore.doc('users/bob').get();
    const count: unknown = bob.get('newNotificationsCount');
    check('the trigger counts a message', counted < 300 && count === 3);

    const removed = await call(SCHEDULE, { 'x-cloudscheduler-jobname': 'job' });
    const events = await firestore.collection('unavailableEvents').get();
    check(
      'the schedule removes past events',
      removed === 200 && events.docs.map(({ id }) => id).join() === 'new',
    );

    const args = [JEST, '--selectProjects', 'rules', '--', 'test/notifications/countMessage'];
    const env = { ...process.env, FIRESTORE_EMULATOR_HOST: host };
    checkEnd('and its unit test passes', await runScript(workspace.folder, args, env), {
      status: 0,
    });
  } finally {
    await firestore.terminate();
    await emulator.stop();
  }
}

/** The headers of Firestore's event for a new message (CloudEvents, binary content mode). */
function eventHeaders(): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/protobuf',
    'ce-specversion': '1.0',
    'ce-id': randomUUID(),
    'ce-type': 'google.cloud.firestore.document.v1.created',
    'ce-source': `//firestore.googleapis.com/projects/${PROJECT}/databases/(default)`,
    'ce-subject': `documents/${MESSAGE}`,
    'ce-time': new Date().toISOString(),
    'ce-location': REGION,
    'ce-project': PROJECT,
    'ce-database': '(default)',
    'ce-namespace': '(default)',
    'ce-document': MESSAGE,
  };
}

interface Encoder {
  encode(event: object): { finish(): Uint8Array };
}

/** A message of Alice, as Firestore's event has it. */
function createdMessage(): Uint8Array {
  const path = 'node_modules/firebase-functions/protos/compiledFirestore.js';
  const { google } = createRequire(join(ROOT, 'package.json'))(join(ROOT, path)) as {
    google: { events: { cloud: { firestore: { v1: { DocumentEventData: Encoder } } } } };
  };
  const time = { seconds: Math.floor(Date.now() / 1000) };
  const value = {
    name: `${DOCUMENTS}/${MESSAGE}`,
    fields: { senderId: { stringValue: 'alice' } },
    createTime: time,
    updateTime: time,
  };
  return google.events.cloud.firestore.v1.DocumentEventData.encode({ value }).finish();
}
