/**
 * `npm run check:deployed -- --project P [--since 2026-11-21T12:00:00Z]`: after a deploy, checks that each function is
 * the new version and responds, and that Hosting leads to them. Calls Google with the Application Default Credentials.
 * Exits with 1 if something is wrong.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { GoogleAuth } from 'google-auth-library';
import type { CloudFunction } from './cloud/functionsApi.ts';
import { deployedFaults, responseFaults } from './deployed.ts';

const WITHIN_MS = 60_000;

const { project, since } = parseArgs({
  options: { project: { type: 'string' }, since: { type: 'string' } },
}).values;
if (project === undefined) throw new Error('Name the project: --project YOUR_PROJECT');

const functions = await listFunctions(project);
const { hosting } = JSON.parse(readFileSync('firebase.json', 'utf8')) as {
  hosting: { rewrites: readonly { function: { functionId: string } }[] };
};
const ids = [...new Set(hosting.rewrites.map((rewrite) => rewrite.function.functionId))];
const faults = deployedFaults(functions, { ids, ...(since && { since: new Date(since) }) });

for (const { name, updateTime, serviceConfig } of functions) {
  const id = basename(name);
  if (!ids.includes(id)) continue;
  const response = await fetch(serviceConfig.uri, { signal: AbortSignal.timeout(WITHIN_MS) });
  faults.push(...responseFaults(id, response.status, response.headers.get('x-request-id')));
  console.log(`${id.padEnd(40)} ${updateTime} returned ${response.status} for GET /`);
}

const address = `https://${project}.web.app/api/artists`;
const { status } = await fetch(address, { signal: AbortSignal.timeout(WITHIN_MS) });
console.log(`${address} returned ${status}`);
if (status !== 200) faults.push(`${address} returned ${status}.`);

for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

async function listFunctions(projectId: string): Promise<readonly CloudFunction[]> {
  const auth = new GoogleAuth({ scopes: 'https://www.googleapis.com/auth/cloud-platform' });
  const response = await fetch(
    `https://cloudfunctions.googleapis.com/v2/projects/${projectId}/locations/-/functions?pageSize=1000`,
    {
      headers: { Authorization: `Bearer ${(await auth.getAccessToken()) ?? ''}` },
      signal: AbortSignal.timeout(WITHIN_MS),
    },
  );
  if (!response.ok) throw new Error(`Google returned ${response.status}: ${await response.text()}`);
  const { functions: found = [] } = (await response.json()) as {
    functions?: readonly CloudFunction[];
  };
  return found;
}
