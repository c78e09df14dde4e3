/**
 * `npm run rollback -- --project P [--function ID] [--latest]`: sends the traffic of all functions, or of one, to the revision
 * before the last deploy; with `--latest` to the latest revision. It can be run again.
 */
import '../dev/friendlyErrors.ts';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { toCloudRunServiceName } from '@tattoo-marketplace/endpoints';
import { parseOptions } from '../dev/commandLine.ts';
import { PROJECT_OPTION, requireProject } from './checks/projectOption.ts';
import { readDeployTarget } from './checks/deployTarget.ts';
import { patchGoogle, readGoogle, signIn } from './checks/googleApi.ts';
import { readFunctions, readRevisions } from './checks/resources.ts';
import { chooseRevisions, type ServiceRevisions } from './revisions.ts';

const API = 'run.googleapis.com/v2';
/** The time between two reads of an operation, in ms. */
const INTERVAL_MS = 2_000;

const options = parseOptions('npm run rollback -- --project P [OPTIONS]', {
  project: PROJECT_OPTION,
  function: { type: 'string', value: 'ID', help: 'one function, such as flash-listByArtist' },
  latest: { type: 'boolean', help: 'return to the latest revision' },
});
const project = await signIn(requireProject(options.project));
const { functionIds } = readDeployTarget(project);
const { function: requestedName, latest = false } = options;
// Logs and alerts have the name of the Cloud Run service.
const onlyFunction = functionIds.find(
  (id) =>
    requestedName !== undefined &&
    toCloudRunServiceName(id) === toCloudRunServiceName(requestedName),
);
if (requestedName !== undefined && onlyFunction === undefined) {
  throw new Error(`There is no function ${requestedName}. There are ${functionIds.join(', ')}.`);
}

const functions = (await readFunctions(readGoogle, project)).filter(({ name }) =>
  onlyFunction === undefined
    ? functionIds.includes(basename(name))
    : basename(name) === onlyFunction,
);
const services = await Promise.all(
  functions.map(async ({ serviceConfig: { service } }): Promise<ServiceRevisions> => {
    return { service, revisions: await readRevisions(readGoogle, service) };
  }),
);
for (const { service, revision, reason } of chooseRevisions(services, { latest })) {
  if (reason !== undefined) {
    console.log(`kept  ${basename(service)}: ${reason}`);
    continue;
  }
  await sendTraffic(service, revision);
  console.log(`ok    ${basename(service)}: ${revision ?? 'the latest revision'}`);
}

/** Sends all traffic of a service to a revision; undefined is the latest, also after later deploys. */
async function sendTraffic(service: string, revision: string | undefined): Promise<void> {
  const type = 'TRAFFIC_TARGET_ALLOCATION_TYPE';
  const target =
    revision === undefined
      ? { type: `${type}_LATEST`, percent: 100 }
      : { type: `${type}_REVISION`, revision, percent: 100 };
  let operation = await patchGoogle(`${API}/${service}?updateMask=traffic`, { traffic: [target] });
  while (operation.done !== true) {
    await setTimeout(INTERVAL_MS);
    operation = (await readGoogle(`${API}/${operation.name}`)) as typeof operation;
  }
  if (operation.error !== undefined) throw new Error(`${service}: ${operation.error.message}`);
}
