import type { Request } from 'firebase-functions/https';
import { ServiceError } from '../declaration/errors.ts';
import { MAX_RESPONSE_BYTES, type SerializedBody } from './compress.ts';

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
  if (uncompressedSize <= MAX_RESPONSE_BYTES) {
    return { ...response, decompressedSize: uncompressedSize };
  }
  throw new ServiceError(
    'not-acceptable',
    'The response is too large to be sent uncompressed: send Accept-Encoding: gzip.',
  );
}

/**
 * Returns whether an `If-None-Match` header matches a weak entity tag. Express's own check is not used: it
 * ignores the header if the request also has `Cache-Control: no-cache`, which Hosting adds.
 */
export function matchesETag(ifNoneMatch: string | undefined, etag: string): boolean {
  const candidates = ifNoneMatch?.split(',').map((candidate) => candidate.trim()) ?? [];
  return candidates.some(
    (candidate) => candidate === '*' || candidate === etag || `W/${candidate}` === etag,
  );
}
