/** All that the service changes in the Functions Framework, and why. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server } from 'node:http';
import { firestoreTokens } from './project.ts';

const REQUESTS = 'http.server.request.start';

/**
 * Prepares this process to serve an endpoint; build.js calls it. Returns what lets requests pass as they are again: jest runs
 * many test files in one process.
 */
export function prepareProcess(): () => void {
  subscribe(REQUESTS, hideBody);
  disableDomains();
  const { K_SERVICE, FUNCTIONS_EMULATOR } = process.env;
  // In the emulator and in tests, other code controls the process.
  if (K_SERVICE !== undefined && FUNCTIONS_EMULATOR !== 'true') {
    subscribe(REQUESTS, finishOnSigterm);
    // The first request needs a token: it is fetched while the server starts.
    Promise.try(() => firestoreTokens.get()).catch(() => undefined);
  }
  return () => {
    unsubscribe(REQUESTS, hideBody);
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

/** A request's target as sent, still percent-encoded, and its headers, before they were changed. */
export type OriginalRequest = Pick<IncomingMessage, 'url' | 'headers'>;

/** A property of the request itself, so that a second copy of this module in the process finds it as well. */
const ORIGINAL = Symbol.for('originalRequest');

type PatchedRequest = IncomingMessage & { [ORIGINAL]?: OriginalRequest };

export function originalRequest(request: PatchedRequest): OriginalRequest {
  return request[ORIGINAL] ?? request;
}

/**
 * Bypasses the framework's parsing of bodies and URLs (and the emulator's), which happens before a function is called. It
 * buffers whole bodies from anyone, up to the 32 MiB that the platform takes. It responds to what it cannot parse with an
 * HTML page: no `{message}`, no CORS headers, and outside production a stack trace. To `/favicon.ico` and `/robots.txt` it
 * responds with an empty body. So as soon as Node has read the headers of a request, its original URL and headers are
 * stored, and the request is made to look as if it had no body. The endpoint then reads the body itself.
 */
function hideBody(message: unknown): void {
  const { request } = message as { readonly request: PatchedRequest };
  if (request[ORIGINAL] !== undefined) return;
  const { url = '/', headers } = request;
  request[ORIGINAL] = { url, headers: { ...headers } };
  if (!reachesEndpoint(url)) request.url = '/';
  // Without these headers a body parser does not read the stream.
  delete headers['content-length'];
  delete headers['transfer-encoding'];
  delete headers['content-encoding'];
}

/**
 * Whether the framework would call the function for this URL: it rejects malformed paths and `*`, and handles two paths
 * itself, also in a complete URL (`http://host/favicon.ico`).
 */
function reachesEndpoint(url: string): boolean {
  if (!url.startsWith('/')) return false;
  try {
    return !/^\/+(favicon\.ico|robots\.txt)/i.test(decodeURIComponent(url));
  } catch {
    return false;
  }
}

/**
 * How long requests may take to finish after SIGTERM, in ms: less than the platform waits before it kills the process
 * (https://cloud.google.com/run/docs/container-contract#instance-shutdown).
 */
const GRACE_MS = 8_000;
/** How often idle connections are closed meanwhile, in ms. */
const SWEEP_MS = 50;

/**
 * Replaces the framework's listener, which responds 500 to the latest request, drops all others and exits, although the
 * platform waits for 10 s. At the first request the listener is certain to be registered.
 */
function finishOnSigterm(message: unknown): void {
  unsubscribe(REQUESTS, finishOnSigterm);
  const { server } = message as { readonly server: Server };
  const exit = () => process.exit(0);
  process.removeAllListeners('SIGTERM');
  process.once('SIGTERM', () => {
    server.close(exit);
    // A connection that was busy at the signal would stay open, and take more requests.
    setInterval(() => {
      server.closeIdleConnections();
    }, SWEEP_MS);
    setTimeout(exit, GRACE_MS);
  });
}
