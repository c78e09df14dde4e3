import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'firebase-functions/https';
import { ServiceError } from '../declaration/errors.ts';
import { getOriginalRequest } from '../runtime/bypassParsing.ts';
import { getCurrentContext } from '../runtime/requestContext.ts';
import { hasMoreValuesThan } from './jsonValues.ts';

/** Maximum size of a body, in bytes: 1 MiB. */
const MAX_BODY_BYTES = 1024 * 1024;
/**
 * Maximum number of JSON values in a body. No endpoint needs more, and parsed JSON can take
 * hundreds of times its size in memory.
 */
export const MAX_BODY_VALUES = 5_000;
/** Timeout between two chunks of a body, in ms. */
const STALL_TIMEOUT_MS = 5_000;
/** The body must arrive within this share of the remaining time; the handler needs the rest. */
const BODY_TIME_SHARE = 0.8;

/** Rejects bytes that are not UTF-8. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the JSON body; undefined if it is empty. Throws 415 unless the headers declare uncompressed
 * UTF-8 JSON, 413 as soon as the body is known to exceed 1 MiB, 408 if it does not arrive in time,
 * and `invalid-argument` for invalid JSON or too many values.
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const { headers } = getOriginalRequest(request);
  const isChunked = headers['transfer-encoding'] !== undefined;
  const size = isChunked ? undefined : Number(headers['content-length'] ?? 0);
  if (size === 0) return undefined;
  const isJson = isJsonType(headers['content-type']);
  // A proxy may declare a chunked body without a type although there is no body.
  const mayBeEmpty = isChunked && headers['content-type'] === undefined;
  if (!isJson && !mayBeEmpty) throw unsupportedMediaTypeError();
  assertNotEncoded(headers);
  if (size !== undefined && size > MAX_BODY_BYTES) throw bodyTooLargeError();
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  if (!isJson) throw unsupportedMediaTypeError();
  return parseJson(bytes);
}

function isJsonType(contentType: string | undefined): boolean {
  const [type, ...parameters] = String(contentType).toLowerCase().split(';');
  return (
    type?.trim() === 'application/json' &&
    parameters.every(
      (parameter) => !/^\s*charset\s*=/.test(parameter) || /=\s*"?utf-?8"?\s*$/.test(parameter),
    )
  );
}

function assertNotEncoded(headers: IncomingHttpHeaders): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity') return;
  throw new ServiceError(
    'unsupported-media-type',
    'The body must be sent without a Content-Encoding.',
  );
}

async function readBytes(request: Request): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const onTimeout = () => {
    reject(new ServiceError('request-timeout', 'The body did not arrive in time.'));
  };
  const stallTimer = setTimeout(onTimeout, STALL_TIMEOUT_MS);
  const totalTimer = setTimeout(onTimeout, BODY_TIME_SHARE * getCurrentContext().remainingMs);
  const onData = (chunk: Buffer) => {
    stallTimer.refresh();
    size += chunk.length;
    if (size > MAX_BODY_BYTES) reject(bodyTooLargeError());
    else chunks.push(chunk);
  };
  const onEnd = () => {
    if (request.complete) resolve(Buffer.concat(chunks));
    else reject(new ServiceError('invalid-argument', 'The body is incomplete.'));
  };
  request.on('data', onData).once('end', onEnd).once('close', onEnd);
  try {
    if (request.destroyed) onEnd();
    return await promise;
  } finally {
    // The listeners would otherwise keep the chunks in memory until the response is sent.
    request.off('data', onData).off('end', onEnd).off('close', onEnd);
    clearTimeout(stallTimer);
    clearTimeout(totalTimer);
  }
}

function parseJson(bytes: Buffer): unknown {
  if (hasMoreValuesThan(bytes, MAX_BODY_VALUES)) {
    throw new ServiceError(
      'invalid-argument',
      `The body must not have more than ${MAX_BODY_VALUES} values.`,
    );
  }
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    throw new ServiceError('invalid-argument', 'The body is not valid JSON.');
  }
}

function unsupportedMediaTypeError(): ServiceError {
  return new ServiceError(
    'unsupported-media-type',
    'The Content-Type must be application/json, in UTF-8.',
  );
}

function bodyTooLargeError(): ServiceError {
  return new ServiceError('payload-too-large', 'The body must not be larger than 1 MiB.');
}
