import { isEndpoint } from '../declaration.ts';
import { listFunctions } from '../deployedFunctions.ts';
import { assertParameters } from '../parameters.ts';
import { bypassParsing } from './bypassParsing.ts';
import { disableDomains } from './disableDomains.ts';
import { functionTarget } from './functionTarget.ts';
import { drainOnSigterm } from './drainOnSigterm.ts';
import { firestoreTokenSource } from './project.ts';

/**
 * Checks the deploy parameters and the declarations, and prepares this process if it serves an endpoint. Other functions
 * run in an unmodified framework. `functions.cjs`, which the build generates, calls this with the
 * functions of the service, also when the CLI loads it to deploy them.
 */
export function startProcess(exports: object): void {
  assertParameters();
  // The deploy has already checked the declarations. Without the check, cold starts are faster.
  if (!isDeployed()) listFunctions(exports);
  if (isEndpoint(findServedFunction(exports))) prepareProcess();
}

/** Finds the function that this process serves, as the framework does. */
function findServedFunction(exports: object): unknown {
  const path = (functionTarget ?? '').split('.');
  return path.reduce<unknown>(
    (group, name) => (group as Readonly<Record<string, unknown>> | undefined)?.[name],
    exports,
  );
}

/**
 * Prepares this process to serve an endpoint, by patching the Functions Framework. Returns a
 * function that undoes the patch of requests, for tests.
 */
export function prepareProcess(): () => void {
  const restoreParsing = bypassParsing();
  disableDomains();
  if (isDeployed()) {
    drainOnSigterm();
    prefetchAccessToken();
  }
  return restoreParsing;
}

/** Returns whether the platform runs this process. In the emulator and in tests, other code controls the process. */
function isDeployed(): boolean {
  const { K_SERVICE, FUNCTIONS_EMULATOR } = process.env;
  return K_SERVICE !== undefined && FUNCTIONS_EMULATOR !== 'true';
}

/** Fetches the access token that the first request needs, while the server starts. */
function prefetchAccessToken(): void {
  // After a failure, the first request tries again.
  Promise.try(() => firestoreTokenSource.get()).catch(() => undefined);
}
