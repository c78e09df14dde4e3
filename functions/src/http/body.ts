import type { IncomingMessage } from 'node:http';
import { HttpsError, type Request } from 'firebase-functions/https';
import readRaw from 'raw-body';
import { HttpError } from './errors.ts';
import { hasMoreValues } from './jsonValues.ts';
import { originalRequest } from './originalRequest.ts';

/** The largest body that is read, in bytes: 1 MiB. */
const MAX_BYTES = 1024 * 1024;
/** How many values a body may have, which no request comes near: more would be much work to parse. */
const MAX_VALUES = 50_000;
/**
 * How much of a body is thrown away unread after the response, in bytes: 32 MiB, as much as the platform lets a request
 * have.
 */
const MAX_DISCARDED_BYTES = 32 * MAX_BYTES;
/** For how long, in ms: whoever sends no more must not occupy a place among the requests that are served at a time. */
const MAX_DISCARDING_MS = 5_000;

/** Whether the request has a body, of whatever kind. */
export function hasBody(request: Request): boolean {
  return originalRequest(request).contentLength !== 0;
}

/**
 * Throws away what is left of the body, and calls back then: once it is there, is too large to wait for, or will never
 * come. Only then may the response end: where it ends the connection, a client that still sends would not get it.
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
  // Where the reading was broken off, it was paused.
  request.resume();
  const timer = setTimeout(() => request.destroy(), MAX_DISCARDING_MS);
  request.once('close', () => {
    clearTimeout(timer);
    done();
  });
}

/**
 * Reads the JSON value that the request carries; undefined where its body is empty. Throws 415, before it is read, for
 * what is not said to be plain UTF-8 JSON; 413 for more than 1 MiB, as soon as that is known; `invalid-argument` for what
 * is not JSON, or of too many values.
 */
export async function readJson(request: Request): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  const { contentType, contentEncoding, contentLength } = originalRequest(request);
  if (!isJsonType(contentType)) {
    throw new HttpError(415, 'The Content-Type must be application/json, in UTF-8.');
  }
  if ((contentEncoding ?? 'identity').trim().toLowerCase() !== 'identity') {
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
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new HttpsError('invalid-argument', 'The body is not valid JSON.');
  }
}

async function read(request: Request): Promise<Buffer> {
  try {
    return await readRaw(request, { limit: MAX_BYTES });
  } catch (error) {
    if ((error as { type?: unknown }).type === 'entity.too.large') throw tooLarge();
    throw new HttpsError('invalid-argument', 'The body did not arrive whole.');
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
