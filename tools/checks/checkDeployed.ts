/**
 * `npm run check:deployed -- --project P [--since 2026-11-21T12:00:00Z]`: after a deploy, checks that each function is
 * the new version, that endpoints respond, that Hosting leads to them, and that Firestore answers as the service expects.
 * Calls Google with the Application Default Credentials. Exits with 1 if something is wrong.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../data/database.ts';
import { requireProject } from './commandLine.ts';
import { deployedFaults, responseFaults } from './deployed.ts';
import { googleReader, readAll, WITHIN_MS } from './googleApi.ts';
import { sourcePlan } from './manifest.ts';
import { parameterValues } from './parameters.ts';
import { defaultSite } from './project.ts';
import type { CloudFunction } from './resources.ts';
import { wireFaults, writer } from './wire.ts';

const { values: given } = parseArgs({
  options: { project: { type: 'string' }, since: { type: 'string' } },
});
const project = requireProject(given.project);

const read = googleReader(project);
const stored = await readAll<CloudFunction>(
  read,
  `cloudfunctions.googleapis.com/v2/projects/${project}/locations/-/functions`,
  'functions',
);
const { values } = parameterValues(project);
const { functions } = await sourcePlan(values);
const ids = functions.map(({ id }) => id);
const faults = deployedFaults(stored, {
  ids,
  ...(given.since && { since: new Date(given.since) }),
});

for (const { name, updateTime, serviceConfig } of stored) {
  const planned = functions.find(({ id }) => id === basename(name));
  if (planned === undefined) continue;
  let result = 'is not called: a trigger';
  if (planned.httpsTrigger) {
    const response = await fetch(serviceConfig.uri, { signal: AbortSignal.timeout(WITHIN_MS) });
    faults.push(
      ...responseFaults(planned.id, response.status, response.headers.get('x-request-id')),
    );
    result = `returned ${response.status} for GET /`;
  }
  console.log(`${planned.id.padEnd(40)} ${updateTime} ${result}`);
}

const { hosting } = JSON.parse(readFileSync('firebase.json', 'utf8')) as {
  hosting: { site?: string };
};
const site = hosting.site ?? (await defaultSite(read, project));
const address = `https://${site}.web.app/api/artists`;
const { status } = await fetch(address, { signal: AbortSignal.timeout(WITHIN_MS) });
console.log(`${address} returned ${status}`);
if (status !== 200) faults.push(`${address} returned ${status}.`);

const databaseId = values.DATABASE_ID ?? '(default)';
const path = `deployChecks/${randomUUID()}`;
console.log(`Firestore: writes and deletes ${path} in the database ${databaseId}`);
const database = await openDatabase(project, databaseId);
faults.push(...(await wireFaults(database, writer(project, databaseId), path)));

for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
