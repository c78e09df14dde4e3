/**
 * Graceful shutdown. On SIGTERM the Functions Framework responds 500 to the latest request, drops all others and exits,
 * although the platform waits for 10 s. This module lets requests in progress finish first.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';

/**
 * How long requests may take to finish, in ms: less than the platform waits before it kills the process
 * (https://cloud.google.com/run/docs/container-contract#instance-shutdown).
 */
const GRACE_MS = 8_000;
/** How often idle connections are closed, in ms. */
const SWEEP_MS = 50;

const CHANNEL = 'http.server.request.start';

/** Lets requests in progress finish when the process is asked to end. */
export function finishOnSigterm(): void {
  subscribe(CHANNEL, takeOver);
}

/** Replaces the framework's listener. At the first request it is certain to be registered. */
function takeOver(message: unknown): void {
  unsubscribe(CHANNEL, takeOver);
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
