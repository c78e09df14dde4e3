import { bypassParsing } from './bypassParsing.ts';
import { disableDomains } from './disableDomains.ts';
import { drainOnSigterm } from './drainOnSigterm.ts';
import { prefetchAccessTokens } from './metadataTokens.ts';

/**
 * Prepares this process to serve an endpoint, by patching the Functions Framework. Returns a
 * function that undoes the patch of requests, for tests.
 */
export function prepareProcess(): () => void {
  const restoreParsing = bypassParsing();
  disableDomains();
  if (isDeployed()) {
    drainOnSigterm();
    prefetchAccessTokens();
  }
  return restoreParsing;
}

/** Returns whether the platform runs this process. In the emulator and in tests, other code controls the process. */
export function isDeployed(): boolean {
  const { K_SERVICE, FUNCTIONS_EMULATOR } = process.env;
  return K_SERVICE !== undefined && FUNCTIONS_EMULATOR !== 'true';
}
