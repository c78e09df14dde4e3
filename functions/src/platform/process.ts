/**
 * What the service changes in the Functions Framework. `test/platform/framework.deployed.test.ts` fails when the
 * framework no longer needs one of the changes.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { disableDomains } from './domain.ts';
import { firestoreTokens } from './firestoreTokens.ts';
import { hideBodies } from './originalRequest.ts';

/**
 * How long requests may take to finish after SIGTERM, in ms: less than the platform waits before it kills the process
 * (https://cloud.google.com/run/docs/container-contract#instance-shutdown).
 */
const GRACE_MS = 8_000;
/** How often idle connections are closed meanwhile, in ms. */
const SWEEP_MS = 50;

const REQUESTS = 'http.server.request.start';

let isPrepared = false;

/** Prepares this process to serve an endpoint, once; build.js calls it. */
export function prepareProcess(): void {
  if (isPrepared) return;
  isPrepared = true;
  hideBodies();
  disableDomains();
  const { K_SERVICE, FUNCTIONS_EMULATOR } = process.env;
  // In the emulator and in tests, other code controls the process.
  if (K_SERVICE === undefined || FUNCTIONS_EMULATOR === 'true') return;
  subscribe(REQUESTS, finishOnSigterm);
  // The first request needs a token: it is fetched while the server starts.
  firestoreTokens.get().catch(() => undefined);
}

/**
 * Replaces the framework's listener, which responds 500 to the latest request, drops all others and exits, although the
 * platform waits for 10 s. At the first request the listener is certain to be registered.
 */
function finishOnSigterm(message: unknown): void {
  unsubscribe(REQUESTS, finishOnSigterm);
  const { server } = message as { readonly server: Server };
  process.removeAllListeners('SIGTERM');
  process.once('SIGTERM', () => {
    finish(server);
  });
}

/** Accepts no new connections, and exits after the last response. */
function finish(server: Server): void {
  server.close(exit);
  setInterval(() => {
    server.closeIdleConnections();
  }, SWEEP_MS);
  setTimeout(exit, GRACE_MS);
}

function exit(): void {
  process.exit(0);
}
