import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** The request target (still percent-encoded) and headers as they were received. */
export type OriginalRequest = Pick<IncomingMessage, 'url' | 'headers'>;

/** The property of a request that has the original. A second copy of this module in the process reads the same property. */
const ORIGINAL = Symbol.for('originalRequest');

type PatchedRequest = IncomingMessage & { [ORIGINAL]?: OriginalRequest };

/** The diagnostics channel that Node publishes to when it has read the headers of a request. */
export const REQUEST_START_CHANNEL = 'http.server.request.start';

/**
 * Makes the framework (and the emulator) skip its own parsing of bodies and URLs, which would run
 * before the function is called. That parsing buffers up to 32 MiB from unauthenticated clients. It
 * responds to malformed input with an HTML page without CORS headers and, outside production, with
 * a stack trace. It also responds to `/favicon.ico` and `/robots.txt` itself. Returns a function
 * that undoes the patch, for tests: Jest runs several test files in one process.
 */
export function bypassParsing(): () => void {
  subscribe(REQUEST_START_CHANNEL, patchRequest);
  return () => {
    unsubscribe(REQUEST_START_CHANNEL, patchRequest);
  };
}

/** Returns the request target and headers as they were received. */
export function getOriginalRequest(request: PatchedRequest): OriginalRequest {
  return request[ORIGINAL] ?? request;
}

/**
 * Runs when Node has read the headers of a request. Saves the original URL and headers, and hides
 * the body from the framework: the endpoint reads it itself.
 */
function patchRequest(message: unknown): void {
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
 * Returns whether the framework passes this URL to the function. It rejects malformed paths and `*`, and
 * responds to two paths itself, even as part of an absolute URL (`http://host/favicon.ico`).
 */
function isPassedToFunction(url: string): boolean {
  if (!url.startsWith('/')) return false;
  try {
    return !/^\/+(favicon\.ico|robots\.txt)/i.test(decodeURIComponent(url));
  } catch {
    return false;
  }
}
