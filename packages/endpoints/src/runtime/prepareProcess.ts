import { bypassParsing } from './bypassParsing.ts';
import { disableDomains } from './disableDomains.ts';
import { drainOnSigterm } from './drainOnSigterm.ts';
import { isDeployed } from './environment.ts';
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
