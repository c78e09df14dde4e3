import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { REQUEST_START_CHANNEL } from './bypassParsing.ts';

/**
 * Time for requests in progress to finish after SIGTERM, in ms. The platform kills the process
 * after 10 s (https://cloud.google.com/run/docs/container-contract#instance-shutdown).
 */
const SHUTDOWN_TIMEOUT_MS = 8_000;
/** Interval at which idle connections are closed during the shutdown, in ms. */
const IDLE_SWEEP_INTERVAL_MS = 50;

/**
 * Makes the process finish its requests after SIGTERM before it exits. It replaces the framework's
 * listener, which responds 500 to the latest request, drops all others and exits immediately. The
 * listener is certain to be registered when the first request starts.
 */
export function drainOnSigterm(): void {
  subscribe(REQUEST_START_CHANNEL, replaceListener);
}

function replaceListener(message: unknown): void {
  unsubscribe(REQUEST_START_CHANNEL, replaceListener);
  const { server } = message as { readonly server: Server };
  const exit = () => process.exit(0);
  for (const listener of process.listeners('SIGTERM')) {
    if (isFrameworkListener(listener)) process.off('SIGTERM', listener);
  }
  process.once('SIGTERM', () => {
    server.close(exit);
    // A connection that is busy now would otherwise stay open and accept more requests.
    setInterval(() => {
      server.closeIdleConnections();
    }, IDLE_SWEEP_INTERVAL_MS);
    setTimeout(exit, SHUTDOWN_TIMEOUT_MS);
  });
}

/**
 * Returns whether a listener is that of the framework. It is anonymous, so it is recognized by the function that it calls.
 * Other listeners, such as those of tracing libraries, stay.
 */
function isFrameworkListener(listener: NodeJS.SignalsListener): boolean {
  return listener.toString().includes('sendCrashResponse');
}
