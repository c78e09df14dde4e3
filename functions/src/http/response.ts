import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Request } from 'firebase-functions/https';
import { HttpError } from '../errors.ts';
import { discardRest } from './body.ts';
import type { JsonBody } from './jsonBody.ts';

/** The largest response that the platform sends, in bytes (https://cloud.google.com/run/quotas). */
export const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** A whole response. */
export interface JsonResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for 204 and 304. */
  readonly body?: Buffer;
  /** For a compressed body that must be sent uncompressed: its size then, in bytes. */
  readonly unpackedSize?: number;
}

/** A 200 response with this body. Throws `not-acceptable` if it is too large to be sent as the caller accepts it. */
export function jsonResponse(
  request: Request,
  { bytes, isCompressed, size }: JsonBody,
  headers: Readonly<Record<string, string>>,
): JsonResponse {
  const response = { status: 200, headers: { ...JSON_HEADERS, ...headers }, body: bytes };
  if (!isCompressed) return response;
  if (acceptsGzip(request)) {
    return { ...response, headers: { ...response.headers, 'Content-Encoding': 'gzip' } };
  }
  if (size <= MAX_RESPONSE_BYTES) return { ...response, unpackedSize: size };
  throw new HttpError(
    'not-acceptable',
    'The response is too large to be sent uncompressed: send Accept-Encoding: gzip.',
  );
}

/** The media type of every body. */
export const JSON_TYPE = 'application/json; charset=utf-8';
const JSON_HEADERS = { 'Content-Type': JSON_TYPE, Vary: 'Accept-Encoding' };

/** Whether the caller accepts compressed responses. */
export function acceptsGzip({ headers }: Request): boolean {
  return String(headers['accept-encoding']).split(',').some(isGzip);
}

/** Whether an element of `Accept-Encoding` is gzip, and not refused (RFC 9110, section 12.5.3). */
function isGzip(element: string): boolean {
  const [coding = '', ...parameters] = element
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  return /^(x-)?gzip$/.test(coding) && !parameters.some((each) => /^q=0(\.0*)?$/.test(each));
}

/**
 * Whether an `If-None-Match` header matches the tag, by weak comparison. Express' own check is not used: it ignores the
 * header if the request also has `Cache-Control: no-cache`, which Hosting adds.
 */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = tag.replace(/^W\//, '');
  return ifNoneMatch
    .split(',')
    .map((named) => named.trim())
    .some((named) => named === '*' || named.replace(/^W\//, '') === opaque);
}

/** Sends a response. `common` are headers of every response, errors included. */
export function send(
  request: Request,
  response: ServerResponse,
  { status, headers, body, unpackedSize }: JsonResponse,
  common: Readonly<Record<string, string>>,
): void {
  const vary = [common.Vary, headers.Vary].filter((names) => names !== undefined).join(', ');
  response.writeHead(status, {
    ...common,
    ...headers,
    ...(vary !== '' && { Vary: vary }),
    ...(body && { 'Content-Length': String(unpackedSize ?? body.length) }),
  });
  const content = request.method === 'HEAD' ? undefined : body;
  if (content !== undefined && unpackedSize !== undefined) {
    const unpacking = createGunzip();
    unpacking.end(content);
    // A caller who leaves ends it.
    pipeline(unpacking, response).catch(() => undefined);
    discardRest(request);
    return;
  }
  if (request.complete || response.shouldKeepAlive) {
    response.end(content);
    discardRest(request);
    return;
  }
  // Node would close the connection at the end of the response. A client that is still sending would then not receive it.
  if (content !== undefined) response.write(content);
  // Without a body, Node would not send the headers before the response ends.
  else response.flushHeaders();
  request.once('close', () => {
    response.end();
  });
  discardRest(request);
}
