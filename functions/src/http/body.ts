import type { IncomingMessage } from 'node:http';
import { HttpsError, type Request } from 'firebase-functions/https';
import readRaw from 'raw-body';
import { HttpError } from './errors.ts';
import { hasMoreValues } from './jsonValues.ts';
import { originalRequest } from './originalRequest.ts';

/** The largest accepted body, in bytes: 1 MiB. */
const MAX_BYTES = 1024 * 1024;
/** The most JSON values in a body, far above what any request needs: more would take long to parse. */
const MAX_VALUES = 50_000;
/**
 * How much of an unread body is discarded after the response, in bytes: 32 MiB, the platform's own limit for requests.
 */
const MAX_DISCARDED_BYTES = 32 * MAX_BYTES;
/** How long discarding may take, in ms: a stalled client must not occupy one of the instance's concurrent requests. */
const MAX_DISCARDING_MS = 5_000;

/** Rejects bytes that are not UTF-8. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Whether the request has a body of any kind. */
export function hasBody(request: Request): boolean {
  return originalRequest(request).contentLength !== 0;
}

/**
 * Discards the rest of the body, then calls `done`: when the body is complete, too large, or stalled. The response must
 * not end earlier. If it closed the connection, a client that is still sending would not receive it.
 */
export function discardRest(request: IncomingMessage, done: () => void): void {
  if (request.complete || request.destroyed) {
    done();
    return;
  }
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > MAX_DISCARDED_BYTES) request.destroy();
  });
  // An aborted read leaves the stream paused.
  request.resume();
  const timer = setTimeout(() => request.destroy(), MAX_DISCARDING_MS);
  request.once('close', () => {
    clearTimeout(timer);
    done();
  });
}

/**
 * Reads the JSON body; undefined if it is empty. Throws 415 unless the headers declare uncompressed UTF-8 JSON, 413 as
 * soon as the body is known to exceed 1 MiB, and `invalid-argument` for invalid JSON or too many values.
 */
export async function readJson(request: Request): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  const { contentType, contentEncoding, contentLength } = originalRequest(request);
  if (!isJsonType(contentType)) {
    throw new HttpError(415, 'The Content-Type must be application/json, in UTF-8.');
  }
  if ((contentEncoding ?? 'identity').toLowerCase() !== 'identity') {
    throw new HttpError(415, 'The body must be sent without a Content-Encoding.');
  }
  if (contentLength !== undefined && contentLength > MAX_BYTES) throw tooLarge();
  const bytes = await read(request);
  if (bytes.length === 0) return undefined;
  if (hasMoreValues(bytes, MAX_VALUES)) {
    throw new HttpsError(
      'invalid-argument',
      `The body must not have more than ${MAX_VALUES} values.`,
    );
  }
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    throw new HttpsError('invalid-argument', 'The body is not valid JSON.');
  }
}

async function read(request: Request): Promise<Buffer> {
  try {
    return await readRaw(request, { limit: MAX_BYTES });
  } catch (error) {
    if ((error as { type?: unknown }).type === 'entity.too.large') throw tooLarge();
    throw new HttpsError('invalid-argument', 'The body is incomplete.');
  }
}

function tooLarge(): HttpError {
  return new HttpError(413, 'The body must not be larger than 1 MiB.');
}

function isJsonType(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  return (
    type.trim() === 'application/json' &&
    parameters.every(
      (parameter) => !/^\s*charset\s*=/.test(parameter) || /=\s*"?utf-?8"?\s*$/.test(parameter),
    )
  );
}
