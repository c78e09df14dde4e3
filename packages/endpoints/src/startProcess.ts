import { preloadAuth } from './auth/adminSdk.ts';
import { isEndpoint, type Endpoint } from './declaration/declaration.ts';
import { assertParameters } from './declaration/parameters.ts';
import { listFunctions } from './deployedFunctions.ts';
import { functionTarget } from './runtime/functionTarget.ts';
import { isDeployed } from './runtime/environment.ts';
import { prepareProcess } from './runtime/prepareProcess.ts';
import { unknownPath } from './unknownPath.ts';

/**
 * Checks the deploy parameters and the declarations, and prepares this process if it serves an endpoint or unknown
 * paths. Other functions run in an unmodified framework. Each bundle that the build generates calls this with its functions,
 * that of all functions also when the CLI loads it to deploy them.
 */
export function startProcess(exports: object): void {
  assertParameters();
  // The deploy has already checked the declarations. Without the check, cold starts are faster.
  if (!isDeployed()) listFunctions(exports);
  const servedFunction = findServedFunction(exports);
  if (isEndpoint(servedFunction) || servedFunction === unknownPath) prepareProcess();
  if (isDeployed() && isEndpoint(servedFunction)) preloadForFirstRequest(servedFunction);
}

/** Loads the Admin SDK for a signed-in endpoint as soon as the server listens, so that the first request waits less for it. */
function preloadForFirstRequest({ declaration }: Endpoint): void {
  if (declaration.access === 'signedIn') setImmediate(preloadAuth);
}

/** Finds the function that this process serves, as the framework does. */
function findServedFunction(exports: object): unknown {
  const path = (functionTarget ?? '').split('.');
  return path.reduce<unknown>(
    (group, name) => (group as Readonly<Record<string, unknown>> | undefined)?.[name],
    exports,
  );
}
