/** Patches to the Functions Framework, and the reason for each. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server } from 'node:http';
import { firestoreTokenSource } from './project.ts';

const REQUEST_START_CHANNEL = 'http.server.request.start';

/**
 * Prepares this process to serve an endpoint. The generated `functions.cjs` calls it. Returns a
 * function that undoes the request patch, for tests: Jest runs several test files in one process.
 */
export function prepareProcess(): () => void {
  subscribe(REQUEST_START_CHANNEL, bypassFrameworkParsing);
  disableDomains();
  const { K_SERVICE, FUNCTIONS_EMULATOR } = process.env;
  // In the emulator and in tests, other code controls the process.
  if (K_SERVICE !== undefined && FUNCTIONS_EMULATOR !== 'true') {
    subscribe(REQUEST_START_CHANNEL, drainOnSigterm);
    // The first request needs a token: it is fetched while the server starts.
    Promise.try(() => firestoreTokenSource.get()).catch(() => undefined);
  }
  return () => {
    unsubscribe(REQUEST_START_CHANNEL, bypassFrameworkParsing);
  };
}

/**
 * The framework runs each request in a Node domain, to catch errors that nothing else catches. From the first domain on,
 * Node tracks every promise of the process, which slows all of them. The endpoints catch their errors themselves, so the
 * framework gets domains that do nothing.
 */
export function disableDomains(): void {
  // The emulator does not load `node:domain`.
  if (!('domain' in process)) return;
  const domains: { create: unknown } = process.getBuiltinModule('node:domain');
  domains.create = () => ({
    on: () => undefined,
    run: (work: () => void) => {
      work();
    },
  });
}

/**
 * The request target (still percent-encoded) and headers as they were received, before the patch
 * below.
 */
export type OriginalRequest = Pick<IncomingMessage, 'url' | 'headers'>;

/** A property of the request itself, so that a second copy of this module in the process finds it as well. */
const ORIGINAL = Symbol.for('originalRequest');

type PatchedRequest = IncomingMessage & { [ORIGINAL]?: OriginalRequest };

export function originalRequest(request: PatchedRequest): OriginalRequest {
  return request[ORIGINAL] ?? request;
}

/**
 * Makes the framework (and the emulator) skip its own parsing of bodies and URLs, which would run
 * before the function is called. That parsing buffers up to 32 MiB from unauthenticated clients;
 * answers malformed input with an HTML page without CORS headers and, outside production, with a
 * stack trace; and answers `/favicon.ico` and `/robots.txt` itself. So when Node has read the
 * request headers, this listener saves the original URL and headers and hides the body. The
 * endpoint reads the body itself.
 */
function bypassFrameworkParsing(message: unknown): void {
  const { request } = message as { readonly request: PatchedRequest };
  if (request[ORIGINAL] !== undefined) return;
  const { url = '/', headers } = request;
  request[ORIGINAL] = { url, headers: { ...headers } };
  if (!isPassedToFunction(url)) request.url = '/';
  // Without these headers a body parser does not read the stream.
  delete headers['content-length'];
  delete headers['transfer-encoding'];
  delete headers['content-encoding'];
}

/**
 * Whether the framework passes this URL to the function. It rejects malformed paths and `*`, and
 * answers two paths itself, even as part of an absolute URL (`http://host/favicon.ico`).
 */
function isPassedToFunction(url: string): boolean {
  if (!url.startsWith('/')) return false;
  try {
    return !/^\/+(favicon\.ico|robots\.txt)/i.test(decodeURIComponent(url));
  } catch {
    return false;
  }
}

/**
 * Time for requests in progress to finish after SIGTERM, in ms. The platform kills the process
 * after 10 s (https://cloud.google.com/run/docs/container-contract#instance-shutdown).
 */
const SHUTDOWN_TIMEOUT_MS = 8_000;
/** How often idle connections are closed meanwhile, in ms. */
const IDLE_SWEEP_INTERVAL_MS = 50;

/**
 * Replaces the framework's listener, which responds 500 to the latest request, drops all others and exits, although the
 * platform waits for 10 s. At the first request the listener is certain to be registered.
 */
function drainOnSigterm(message: unknown): void {
  unsubscribe(REQUEST_START_CHANNEL, drainOnSigterm);
  const { server } = message as { readonly server: Server };
  const exit = () => process.exit(0);
  process.removeAllListeners('SIGTERM');
  process.once('SIGTERM', () => {
    server.close(exit);
    // A connection that is busy now would otherwise stay open and accept more requests.
    setInterval(() => {
      server.closeIdleConnections();
    }, IDLE_SWEEP_INTERVAL_MS);
    setTimeout(exit, SHUTDOWN_TIMEOUT_MS);
  });
}
