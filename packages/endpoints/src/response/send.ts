import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Request } from 'firebase-functions/https';
import { ServiceError } from '../errors.ts';
import { MAX_RESPONSE_BYTES, type SerializedBody } from './serialize.ts';

/** How much of an unread body is discarded after the response, in bytes: the platform's own limit for requests. */
const MAX_DRAINED_BYTES = 32 * 1024 * 1024;
/** How long discarding may take, in ms. */
const DRAIN_TIMEOUT_MS = 2_000;

/** A response, ready to be sent. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for 204 and 304. */
  readonly body?: Buffer;
  /**
   * Set if the gzipped body must be decompressed before it is sent: the decompressed size, in
   * bytes.
   */
  readonly decompressedSize?: number;
}

/** A 200 response with this body. Throws `not-acceptable` if it is too large to be sent as the caller accepts it. */
export function jsonResponse(
  request: Request,
  { bytes, isGzipped, uncompressedSize }: SerializedBody,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  const response = { status: 200, headers: { ...JSON_HEADERS, ...headers }, body: bytes };
  if (!isGzipped) return response;
  if (request.acceptsEncodings('gzip')) {
    return { ...response, headers: { ...response.headers, 'Content-Encoding': 'gzip' } };
  }
  if (uncompressedSize <= MAX_RESPONSE_BYTES)
    return { ...response, decompressedSize: uncompressedSize };
  throw new ServiceError(
    'not-acceptable',
    'The response is too large to be sent uncompressed: send Accept-Encoding: gzip.',
  );
}

/** The media type of every body. */
export const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';
const JSON_HEADERS = { 'Content-Type': JSON_CONTENT_TYPE, Vary: 'Accept-Encoding' };

/**
 * Whether an `If-None-Match` header matches a weak tag. Express' own check is not used: it ignores the header if the
 * request also has `Cache-Control: no-cache`, which Hosting adds.
 */
export function matchesETag(ifNoneMatch: string | undefined, tag: string): boolean {
  const etags = ifNoneMatch?.split(',').map((each) => each.trim()) ?? [];
  return etags.some((each) => each === '*' || each === tag || `W/${each}` === tag);
}

/** Sends a response. `common` are headers of every response, errors included. */
export function sendResponse(
  request: Request,
  response: ServerResponse,
  { status, headers, body, decompressedSize }: HttpResponse,
  common: Readonly<Record<string, string>>,
): void {
  const vary = [common.Vary, headers.Vary].filter((names) => names !== undefined).join(', ');
  response.writeHead(status, {
    ...common,
    ...headers,
    ...(vary !== '' && { Vary: vary }),
    ...(body && { 'Content-Length': String(decompressedSize ?? body.length) }),
  });
  const content = request.method === 'HEAD' ? undefined : body;
  if (content !== undefined && decompressedSize !== undefined) {
    const gunzip = createGunzip();
    gunzip.end(content);
    // It fails if the caller disconnects.
    pipeline(gunzip, response).catch(() => undefined);
  } else if (request.complete || response.shouldKeepAlive) {
    response.end(content);
  } else {
    // Node would close the connection at the end of the response. A client that is still sending would then not receive it.
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
  // Has no effect if the whole body has arrived by then.
  setTimeout(() => request.destroy(), DRAIN_TIMEOUT_MS).unref();
}
