/**
 * `npm run check:deployed -- --project P`: run it after a deploy. It checks by HTTP that each function runs the new version,
 * that Hosting leads to each endpoint and sends unknown paths to `unknownPath`, and that the public lists can be read.
 * With APP_CHECK=enforce, it only checks that each request reaches its function. It exits with 1 if a check fails.
 */
import '../../dev/friendlyErrors.ts';
import { basename } from 'node:path';
import { parseOptions } from '../../dev/commandLine.ts';
import { formatError } from '../../dev/formatError.ts';
import { PROJECT_OPTION, requireProject } from './projectOption.ts';
import { readDeployTarget, readParameters } from './deployTarget.ts';
import { listExpectedResponses, type ExpectedResponse } from './expectedResponses.ts';
import { fetchPublicly, readGoogle, signIn } from './googleApi.ts';
import { readFunctions, readSite, type CloudFunction } from './resources.ts';

/** The label in which the Firebase CLI stores the hash of a function's source, parameters and secrets. */
const HASH_LABEL = 'firebase-functions-hash';

const options = parseOptions('npm run check:deployed -- --project P', { project: PROJECT_OPTION });
const project = await signIn(requireProject(options.project));
const target = readDeployTarget(project);
checkFunctions(await readFunctions(readGoogle, project));

const origin = `https://${await readSite(readGoogle, target)}.web.app`;
for (const request of listExpectedResponses(readParameters(project).APP_CHECK)) {
  await checkResponse(request);
}

/**
 * Checks that each function is active, and runs the newest build: the Firebase CLI may report success although it has not
 * updated a function.
 */
function checkFunctions(cloudFunctions: readonly CloudFunction[]): void {
  const ownFunctions = cloudFunctions.filter(({ name }) =>
    target.functionIds.includes(basename(name)),
  );
  // Functions with secrets are not compared: each set of secrets results in another hash.
  const [newest] = ownFunctions
    .filter((cloudFunction) => !hasSecrets(cloudFunction))
    .sort((a, b) => b.updateTime.localeCompare(a.updateTime));
  for (const id of target.functionIds) {
    const cloudFunction = ownFunctions.find(({ name }) => basename(name) === id);
    if (cloudFunction === undefined) {
      report(false, `${id} is not deployed`);
      continue;
    }
    const { updateTime, state, labels } = cloudFunction;
    const isOld =
      !hasSecrets(cloudFunction) && labels?.[HASH_LABEL] !== newest?.labels?.[HASH_LABEL];
    if (isOld) report(false, `${id} (deployed ${updateTime}) still runs an older build`);
    else report(state === 'ACTIVE', `${id} (deployed ${updateTime}) is ${state}`);
  }
}

/** Returns whether a function has secrets. If its creation failed, it has no configuration of its service. */
function hasSecrets({ serviceConfig }: Partial<CloudFunction>): boolean {
  return serviceConfig?.secretEnvironmentVariables !== undefined;
}

/** Sends a request, and checks its status, and its error code if it is an error. */
async function checkResponse({ method, address, expected }: ExpectedResponse): Promise<void> {
  const result = await fetchPublicly(origin, method, address).then(
    ({ status, headers }) => [status, headers.get('x-error-code')].filter(Boolean).join(' '),
    formatError,
  );
  report(result === expected, `${method} ${origin}${address} returned ${result}`);
}

/** Prints the result of a check. */
function report(isCorrect: boolean, result: string): void {
  console.log(`${isCorrect ? 'ok   ' : 'WRONG'} ${result}`);
  if (!isCorrect) process.exitCode = 1;
}
