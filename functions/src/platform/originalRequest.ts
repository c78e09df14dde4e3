/**
 * Bypasses the body and URL parsing of the Functions Framework (and of the emulator), which happens before a function
 * is called. The framework buffers up to 1 GB from anyone. It responds to what it cannot parse with an HTML page: no
 * `{message}`, no CORS headers, and outside production a stack trace. To `/favicon.ico` and `/robots.txt` it responds
 * with an empty body. So as soon as Node has read the headers of a request, this module stores the original URL and
 * headers and makes the request look as if it had no body. The endpoint then reads the body itself.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** A request's URL and headers before they were changed. */
export interface OriginalRequest {
  /** The request target as sent: path and query, still percent-encoded. */
  readonly url: string;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  /** The declared length of the body, in bytes: 0 without a body, undefined for a chunked one. */
  readonly contentLength: number | undefined;
}

/** A property of the request itself, so that a second copy of this module in the process finds it as well. */
const ORIGINAL = Symbol.for('originalRequest');

type PatchedRequest = IncomingMessage & { [ORIGINAL]?: OriginalRequest };

/** From now on, hides the body and the path of each request from whatever runs before the function. */
export function hideBodies(): void {
  subscribe('http.server.request.start', (message) => {
    hideBody((message as { request: PatchedRequest }).request);
  });
}

/** The request's URL and headers as they arrived. */
export function originalRequest(request: PatchedRequest): OriginalRequest {
  return request[ORIGINAL] ?? asSent(request);
}

function hideBody(request: PatchedRequest): void {
  if (request[ORIGINAL] !== undefined) return;
  request[ORIGINAL] = asSent(request);
  if (!reachesEndpoint(request.url ?? '/')) request.url = '/';
  const { headers } = request;
  // Without these headers a body parser does not read the stream.
  delete headers['content-length'];
  delete headers['transfer-encoding'];
  delete headers['content-encoding'];
}

function asSent({ url = '/', headers }: IncomingMessage): OriginalRequest {
  const isChunked = headers['transfer-encoding'] !== undefined;
  return {
    url,
    contentType: headers['content-type'],
    contentEncoding: headers['content-encoding'],
    contentLength: isChunked ? undefined : Number(headers['content-length'] ?? 0),
  };
}

/**
 * Whether the framework would call the function for this URL: it rejects malformed paths and `*`, and handles two paths
 * itself.
 */
function reachesEndpoint(url: string): boolean {
  if (url === '*') return false;
  try {
    return !/^\/+(favicon\.ico|robots\.txt)/i.test(decodeURIComponent(url));
  } catch {
    return false;
  }
}
