/**
 * What arrives before our code. The Functions Framework (and the emulator) parse the URL and the body
 * of a request before they call a function, and answer what they cannot parse with an HTML page of their
 * own: without our `{message}`, without CORS headers, outside production with a stack; and `/favicon.ico` and
 * `/robots.txt` they answer with nothing at all. So each request is
 * made unremarkable the moment Node has read its head, and what really arrived is kept for the endpoint,
 * which refuses it in its own words.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** What a request said before it was made unremarkable. */
export interface Arrival {
  /** The request target as sent: path and query, still percent-encoded. */
  readonly url: string;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
}

/** Kept on the request itself, so that a second copy of this module in the process finds what the first one kept. */
const ARRIVAL = Symbol.for('arrival');

type Arriving = IncomingMessage & { [ARRIVAL]?: Arrival };

subscribe('http.server.request.start', (message) => {
  keepArrival((message as { request: Arriving }).request);
});

/** What the request said when it arrived. */
export function arrivalOf(request: Arriving): Arrival {
  return request[ARRIVAL] ?? asIs(request);
}

function keepArrival(request: Arriving): void {
  if (request[ARRIVAL] !== undefined) return;
  request[ARRIVAL] = asIs(request);
  if (!reachesUs(request.url ?? '/')) request.url = '/';
  // With this type and no encoding every body parser hands over the bytes as they are.
  request.headers['content-type'] = 'application/octet-stream';
  delete request.headers['content-encoding'];
}

function asIs(request: IncomingMessage): Arrival {
  return {
    url: request.url ?? '/',
    contentType: request.headers['content-type'],
    contentEncoding: request.headers['content-encoding'],
  };
}

/** Whether the framework passes a request on: it decodes the path, knows no `*`, and answers two paths for itself. */
function reachesUs(url: string): boolean {
  if (url === '*') return false;
  try {
    return !/^\/+(favicon\.ico|robots\.txt)/i.test(decodeURIComponent(url));
  } catch {
    return false;
  }
}
