import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Request } from 'firebase-functions/https';
import type { HttpResponse } from './httpResponse.ts';

/** Maximum size of the unread rest of a body that is discarded, in bytes. The platform rejects larger requests. */
const MAX_DRAINED_BYTES = 32 * 1024 * 1024;
/** Timeout of reading and discarding the rest, in ms. */
const DRAIN_TIMEOUT_MS = 2_000;

/** Sends a response. `commonHeaders` are the headers of every response, errors included. */
export function sendResponse(
  request: Request,
  response: ServerResponse,
  { status, headers, body, decompressedSize }: HttpResponse,
  commonHeaders: Readonly<Record<string, string>>,
): void {
  const vary = [commonHeaders.Vary, headers.Vary].filter((names) => names !== undefined).join(', ');
  response.writeHead(status, {
    ...commonHeaders,
    ...headers,
    ...(vary !== '' && { Vary: vary }),
    ...(body && { 'Content-Length': String(decompressedSize ?? body.length) }),
  });
  const content = request.method === 'HEAD' ? undefined : body;
  if (content !== undefined && decompressedSize !== undefined) {
    const gunzip = createGunzip();
    gunzip.end(content);
    // The pipeline fails if the client disconnects.
    pipeline(gunzip, response).catch(() => undefined);
  } else if (request.complete || response.shouldKeepAlive) {
    response.end(content);
  } else {
    // Node would close the connection at the end of the response, and a client that is still sending would not receive
    // the response.
    if (content !== undefined) response.write(content);
    // Without a body, Node would not send the headers before the response ends.
    else response.flushHeaders();
    request.once('close', () => {
      response.end();
    });
  }
  drainRequestBody(request);
}

/**
 * Drains the rest of an unread request body, up to a size and time limit, then closes the
 * connection. Closing it immediately could discard the response before a client that is still
 * sending reads it.
 */
export function drainRequestBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let drainedBytes = 0;
  request.on('data', (chunk: Buffer) => {
    drainedBytes += chunk.length;
    if (drainedBytes > MAX_DRAINED_BYTES) request.destroy();
  });
  request.resume();
  // Has no effect if the entire body has arrived by then.
  setTimeout(() => request.destroy(), DRAIN_TIMEOUT_MS).unref();
}
