import { accessToken } from './credentials.ts';
import { disableDomains } from './domain.ts';
import { hideBodies } from './originalRequest.ts';
import { finishOnSigterm } from './shutdown.ts';

let isPrepared = false;

/**
 * Prepares this process to serve an endpoint, once; build.js calls it. All that the service changes in the Functions
 * Framework is called from here; `test/platform/framework.deployed.test.ts` fails when the framework no longer needs it.
 */
export function prepareProcess(): void {
  if (isPrepared) return;
  isPrepared = true;
  hideBodies();
  disableDomains();
  const { K_SERVICE, FUNCTIONS_EMULATOR } = process.env;
  // In the emulator and in tests, other code controls the process.
  if (K_SERVICE === undefined || FUNCTIONS_EMULATOR === 'true') return;
  finishOnSigterm();
  // The first request needs a token: it is fetched while the server starts.
  Promise.resolve(accessToken()).catch(() => undefined);
}
