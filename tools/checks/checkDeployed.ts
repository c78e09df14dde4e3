/**
 * `npm run check:deployed -- --project P`: after a deploy, checks by HTTP that each function is the new version, that
 * Hosting leads to each endpoint, and that the public lists can be read. Exits with 1 if something is wrong.
 */
import '../friendlyErrors.ts';
import { basename } from 'node:path';
import { endpoints } from '../../functions/service.ts';
import { parseOptions } from '../../dev/commandLine.ts';
import { PROJECT, requireProject } from './commandLine.ts';
import { readDeployTarget } from './deployTarget.ts';
import { readGoogle, signIn, CALL_TIMEOUT_MS } from './googleApi.ts';
import { readFunctions, readSite } from './project.ts';
import type { CloudFunction } from './resources.ts';

/** The label in which the CLI stores the hash of a function's source, parameters and secrets. */
const HASH = 'firebase-functions-hash';

const given = parseOptions('npm run check:deployed -- --project P', { project: PROJECT });
const project = await signIn(requireProject(given.project));
const deploy = readDeployTarget(project);
const stored = (await readFunctions(readGoogle, project)).sort((one, other) =>
  other.updateTime.localeCompare(one.updateTime),
);

/** The state of each function: the CLI has reported success although it had left an old one in place. */
const hasSecrets = (each: CloudFunction) =>
  each.serviceConfig.secretEnvironmentVariables !== undefined;
// The project may have functions of others, and each set of secrets has a hash of its own.
const newest = stored.find(
  (each) => deploy.functionIds.includes(basename(each.name)) && !hasSecrets(each),
);
for (const id of deploy.functionIds) {
  const found = stored.find(({ name }) => basename(name) === id);
  const isOld = found && !hasSecrets(found) && found.labels?.[HASH] !== newest?.labels?.[HASH];
  if (found === undefined) report(false, `${id} is not deployed`);
  else if (isOld) report(false, `${id} of ${found.updateTime} is of an older source`);
  else report(found.state === 'ACTIVE', `${id} of ${found.updateTime} is ${found.state}`);
}

/** Each endpoint through Hosting. Without a token only public lists may be read. */
const origin = `https://${await readSite(readGoogle, deploy)}.web.app`;
for (const { endpoint } of endpoints) {
  const { method, path, access, query } = endpoint.declaration;
  const address = `/api${path.replace(/\{\w+\}/g, 'nobody')}`;
  await expectStatus(method, address, access === 'public' ? '200' : '401 unauthenticated');
  if (access !== 'public' || query === undefined) continue;
  await expectStatus(method, `${address}?cursor=none`, '400 cursor-not-found');
}

/** Prints what was found. */
function report(isRight: boolean, found: string): void {
  console.log(`${isRight ? 'ok   ' : 'WRONG'} ${found}`);
  if (!isRight) process.exitCode = 1;
}

/** Sends a request, whose response must have this status, and this code where it is an error. */
async function expectStatus(method: string, address: string, expected: string): Promise<void> {
  const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const response = await fetch(`${origin}${address}`, { method, signal }).catch(String);
  const found =
    typeof response === 'string'
      ? response
      : [response.status, response.headers.get('x-error-code')].filter(Boolean).join(' ');
  report(found === expected, `${method} ${origin}${address} returned ${found}`);
}
