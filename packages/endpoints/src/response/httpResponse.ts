import { hash } from 'node:crypto';
import type { Request } from 'firebase-functions/https';
import { ServiceError } from '../declaration/errors.ts';
import { MAX_HTTP_RESPONSE_BYTES, type SerializedBody } from './serializeBody.ts';
import { buildCorsHeaders, buildPreflightHeaders } from './cors.ts';

/** The media type of every body. */
export const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';
const JSON_HEADERS = { 'Content-Type': JSON_CONTENT_TYPE, Vary: 'Accept-Encoding' };

/** A response to send. */
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

/** Builds the headers of every response. Public responses override `Cache-Control`. */
export function buildCommonHeaders(
  request: Request,
  requestId: string,
): Readonly<Record<string, string>> {
  return {
    'Cache-Control': 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...buildCorsHeaders(request),
  };
}

/** Creates the response to a preflight. */
export function createPreflightResponse(request: Request): HttpResponse {
  return { status: 204, headers: buildPreflightHeaders(request) };
}

/**
 * Creates a 200 response with this body. Throws `not-acceptable` if the body is too large to be sent
 * in an encoding that the client accepts.
 */
export function createJsonResponse(
  request: Request,
  { bytes, isGzipped, uncompressedSize }: SerializedBody,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  const response = { status: 200, headers: { ...JSON_HEADERS, ...headers }, body: bytes };
  if (!isGzipped) return response;
  if (request.acceptsEncodings('gzip')) {
    return { ...response, headers: { ...response.headers, 'Content-Encoding': 'gzip' } };
  }
  if (uncompressedSize <= MAX_HTTP_RESPONSE_BYTES) {
    return { ...response, decompressedSize: uncompressedSize };
  }
  throw new ServiceError(
    'not-acceptable',
    'The response is too large to be sent uncompressed: send Accept-Encoding: gzip.',
  );
}

/** The body of a public response, with its entity tag and the time of its read. */
export interface TaggedBody {
  readonly body: SerializedBody;
  /** The entity tag (RFC 9110, section 8.8.3). It is weak because the body may be sent compressed or not. */
  readonly etag: string;
  /** The start of the read, in ms of the monotonic clock (`performance.now()`). */
  readonly readAt: number;
}

/** Reads a body and computes its entity tag. */
export async function readTaggedBody(read: () => Promise<SerializedBody>): Promise<TaggedBody> {
  const readAt = performance.now();
  const body = await read();
  return { body, etag: `W/"${hash('sha1', body.bytes, 'base64url')}"`, readAt };
}

/**
 * Creates a response that the CDN may cache for the rest of its max age, or 304 if the client's
 * ETag still matches. Browsers and apps always revalidate, so that users see their own changes
 * soon.
 */
export function createCacheableResponse(
  request: Request,
  { body, etag, readAt }: TaggedBody,
  maxAgeMs: number,
): HttpResponse {
  const ageMs = performance.now() - readAt;
  const seconds = Math.max(0, Math.floor((maxAgeMs - ageMs) / 1000));
  const headers = { 'Cache-Control': `public, max-age=0, s-maxage=${seconds}`, ETag: etag };
  return matchesETag(request.headers['if-none-match'], etag)
    ? { status: 304, headers: { ...headers, Vary: 'Accept-Encoding' } }
    : createJsonResponse(request, body, headers);
}

/**
 * Returns whether an `If-None-Match` header matches a weak entity tag. Express's own check is not used: it
 * ignores the header if the request also has `Cache-Control: no-cache`, which Hosting adds.
 */
function matchesETag(ifNoneMatch: string | undefined, etag: string): boolean {
  const candidates = ifNoneMatch?.split(',').map((candidate) => candidate.trim()) ?? [];
  return candidates.some(
    (candidate) => candidate === '*' || candidate === etag || `W/${candidate}` === etag,
  );
}
