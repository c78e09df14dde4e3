/**
 * What arrives before our code. The Functions Framework (and the emulator) parse the URL and the body of a request before
 * they call a function. They buffer up to 1 GB for anybody, answer what they cannot parse with an HTML page of their
 * own (without our `{message}`, without CORS headers, outside production with a stack), and answer `/favicon.ico` and
 * `/robots.txt` with nothing at all. So each request is disguised the moment Node has read its head, as one without
 * a body, and what really arrived is kept for the endpoint, which reads the body itself and refuses in its own words.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** What a request said before it was disguised. */
export interface OriginalRequest {
  /** The request target as sent: path and query, still percent-encoded. */
  readonly url: string;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  /** The length of the body that the head tells, in bytes: 0 without a body, undefined where only its end will tell. */
  readonly contentLength: number | undefined;
}

/** A property of the request itself, so that a second copy of this module in the process finds what the first one kept. */
const ORIGINAL = Symbol.for('originalRequest');

type Disguised = IncomingMessage & { [ORIGINAL]?: OriginalRequest };

subscribe('http.server.request.start', (message) => {
  disguise((message as { request: Disguised }).request);
});

/** What the request said when it arrived. */
export function originalRequest(request: Disguised): OriginalRequest {
  return request[ORIGINAL] ?? asSent(request);
}

function disguise(request: Disguised): void {
  if (request[ORIGINAL] !== undefined) return;
  request[ORIGINAL] = asSent(request);
  if (!reachesEndpoint(request.url ?? '/')) request.url = '/';
  const { headers } = request;
  // A body parser reads no body that the headers do not tell of. The stream itself stays as it is.
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

/** Whether the framework passes a request on: it decodes the path, knows no `*`, and answers two paths by itself. */
function reachesEndpoint(url: string): boolean {
  if (url === '*') return false;
  try {
    return !/^\/+(favicon\.ico|robots\.txt)/i.test(decodeURIComponent(url));
  } catch {
    return false;
  }
}
