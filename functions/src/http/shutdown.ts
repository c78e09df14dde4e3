/**
 * The end of a process. On SIGTERM the Functions Framework answers 500 to the latest request, drops all others and exits.
 * The platform would wait for 10 s: so requests under way are finished first.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';

/**
 * How long they may take, in ms: less than the platform waits before it kills the process
 * (https://cloud.google.com/run/docs/container-contract#instance-shutdown).
 */
const GRACE_MS = 8_000;
/** How often connections that are done with their request are closed, in ms. */
const SWEEP_MS = 50;

const CHANNEL = 'http.server.request.start';

// Elsewhere, under the emulator and in tests, the process is not ours to end.
const { K_SERVICE, FUNCTIONS_EMULATOR } = process.env;
if (K_SERVICE !== undefined && FUNCTIONS_EMULATOR !== 'true') subscribe(CHANNEL, takeOver);

/** The framework registers its own listener when its server listens: at the first request it is there to be replaced. */
function takeOver(message: unknown): void {
  unsubscribe(CHANNEL, takeOver);
  const { server } = message as { readonly server: Server };
  process.removeAllListeners('SIGTERM');
  process.once('SIGTERM', () => {
    finish(server);
  });
}

/** Takes no new connections, and exits when the last request has been answered. */
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
