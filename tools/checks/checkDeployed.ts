/**
 * `npm run check:deployed -- --project P`: after a deploy, checks that each function is the new version, that endpoints
 * respond, that Hosting leads to them, and that Firestore answers as the service expects. Calls Google with the
 * Application Default Credentials. Exits with 1 if something is wrong.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Fields } from '@tattoo-marketplace/firestore-rest';
import { openDatabase } from '../data/projectDatabase.ts';
import { PROJECT, readCommand, requireProject } from './commandLine.ts';
import { deployedFaults, responseFaults } from './deployed.ts';
import { googleCaller, WITHIN_MS } from './googleApi.ts';
import { sourceFunctions } from './manifest.ts';
import { parameterValues } from './parameters.ts';
import { defaultSite, readFunctions } from './project.ts';
import { wireFaults } from './wire.ts';

const given = readCommand('npm run check:deployed -- --project P', { project: PROJECT });
const project = requireProject(given.project);

const call = googleCaller(project);
const stored = await readFunctions(call, project);
const { DATABASE_ID: databaseId = '(default)' } = parameterValues(project).values;
const functions = await sourceFunctions();
const faults = deployedFaults(
  stored,
  functions.map(({ id }) => id),
);

for (const { id, httpsTrigger } of functions) {
  const found = stored.find(({ name }) => basename(name) === id);
  if (found === undefined || httpsTrigger === undefined) continue;
  const { status, headers } = await get(found.serviceConfig.uri);
  faults.push(...responseFaults(id, status, headers.get('x-request-id')));
  console.log(`${id.padEnd(40)} ${found.updateTime} returned ${status} for GET /`);
}

const { hosting } = JSON.parse(readFileSync('firebase.json', 'utf8')) as {
  hosting: { site?: string };
};
const site = hosting.site ?? (await defaultSite(call, project));
const address = `https://${site}.web.app/api/artists`;
const { status } = await get(address);
console.log(`${address} returned ${status}`);
if (status !== 200) faults.push(`${address} returned ${status}.`);

const path = `deployChecks/${randomUUID()}`;
console.log(`Firestore: writes and deletes ${path} in the database ${databaseId}`);
console.log(
  'This check of Firestore was never tried on the real Google, only on emulators: a fault may be its own.',
);
const database = await openDatabase(project, databaseId);
faults.push(...(await wireFaults(database, write, path)));

for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

/** Writes a document; without fields it is deleted. */
function write(path: string, fields?: Fields): Promise<unknown> {
  const root = `projects/${project}/databases/${databaseId}/documents`;
  const name = `${root}/${path}`;
  const writes = [fields === undefined ? { delete: name } : { update: { name, fields } }];
  return call(`firestore.googleapis.com/v1/${root}:commit`, { writes });
}

function get(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(WITHIN_MS) });
}
