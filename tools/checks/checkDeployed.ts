/**
 * `npm run check:deployed -- --project P [--since 2026-11-21T12:00:00Z]`: after a deploy, checks that each function is
 * the new version and responds, and that Hosting leads to them. Calls Google with the Application Default Credentials.
 * Exits with 1 if something is wrong.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { CloudFunction } from './resources.ts';
import { deployedFaults, responseFaults } from './deployed.ts';
import { requireProject } from './commandLine.ts';
import { googleReader, readAll } from './googleApi.ts';
import { defaultSite } from './project.ts';

const WITHIN_MS = 60_000;

const { values: given } = parseArgs({
  options: { project: { type: 'string' }, since: { type: 'string' } },
});
const project = requireProject(given.project);

const read = googleReader(project);
const functions = await readAll<CloudFunction>(
  read,
  `cloudfunctions.googleapis.com/v2/projects/${project}/locations/-/functions`,
  'functions',
);
const { hosting } = JSON.parse(readFileSync('firebase.json', 'utf8')) as {
  hosting: { site?: string; rewrites: readonly { function: { functionId: string } }[] };
};
const ids = [...new Set(hosting.rewrites.map((rewrite) => rewrite.function.functionId))];
const faults = deployedFaults(functions, {
  ids,
  ...(given.since && { since: new Date(given.since) }),
});

for (const { name, updateTime, serviceConfig } of functions) {
  const id = basename(name);
  if (!ids.includes(id)) continue;
  const response = await fetch(serviceConfig.uri, { signal: AbortSignal.timeout(WITHIN_MS) });
  faults.push(...responseFaults(id, response.status, response.headers.get('x-request-id')));
  console.log(`${id.padEnd(40)} ${updateTime} returned ${response.status} for GET /`);
}

const site = hosting.site ?? (await defaultSite(read, project));
const address = `https://${site}.web.app/api/artists`;
const { status } = await fetch(address, { signal: AbortSignal.timeout(WITHIN_MS) });
console.log(`${address} returned ${status}`);
if (status !== 200) faults.push(`${address} returned ${status}.`);

for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
