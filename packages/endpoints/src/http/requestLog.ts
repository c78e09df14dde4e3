import { hash } from 'node:crypto';
import { HttpsError } from 'firebase-functions/https';
import { logger } from 'firebase-functions/logger';
import { FieldError } from '../errors.ts';
import type { RequestContext } from '../platform/requestContext.ts';

/** The name of the function that this process serves. The platform sets these variables. */
const FUNCTION_NAME = process.env.K_SERVICE ?? process.env.FUNCTION_TARGET ?? 'unknown';
/** Whether this is `npm start`. */
const IS_LOCAL = process.env.FUNCTIONS_EMULATOR === 'true';

/** A request that was handled, as the log names it: the method is all that it has of what the caller sent. */
export interface HandledRequest {
  readonly requestId: string;
  readonly method: string;
  /** The path template of the endpoint, if there is one at the path: the actual path may contain ids. */
  readonly path: string | undefined;
  readonly status: number;
  readonly errorCode?: string | undefined;
  /** The error that the response has, if its status is 4xx. */
  readonly refusal?: unknown;
}

/**
 * Writes the log line of a request in Cloud Logging's structured format
 * (https://cloud.google.com/logging/docs/structured-logging), so that `httpRequest` becomes a field of the log entry.
 * The logger adds the trace of the request.
 */
export function logRequest(
  { requestId, method, path, status, errorCode, refusal }: HandledRequest,
  latencyMs: number,
  { usage, callerHash: caller, hasLeft, mayHaveWritten }: RequestContext,
): void {
  const { field, id } = refusal instanceof FieldError ? refusal : {};
  logger.write({
    severity: status >= 500 ? 'ERROR' : status === 429 ? 'WARNING' : 'INFO',
    message: `${method} ${path ?? '(no endpoint)'} ${status}`,
    httpRequest: {
      requestMethod: method,
      requestUrl: path,
      status,
      latency: `${(latencyMs / 1000).toFixed(6)}s`,
    },
    function: FUNCTION_NAME,
    requestId,
    status,
    errorCode,
    latencyMs: Math.round(latencyMs * 1000) / 1000,
    firestoreReads: usage.reads,
    firestoreWrites: usage.writes,
    mayHaveWritten: hasLeft ? mayHaveWritten : undefined,
    caller,
    field,
    // Only where callers are logged.
    document: caller && id && hashed(id),
    // For development. A deployed log has no messages: nothing checks that they never quote a value.
    refusal: IS_LOCAL && refusal instanceof Error ? refusal.message : undefined,
  });
}

/** Writes the log line of a read for several requests, which are not charged for it; the id is that of the first one. */
export function logSharedRead(requestId: string, ms: number, { usage }: RequestContext): void {
  const read = { function: FUNCTION_NAME, requestId, firestoreReads: usage.reads, ms };
  logger.info('A response was read for all requests that wait for it.', read);
}

/**
 * What the log has instead of an id. Those of Firebase Auth and Firestore are long and random: nobody finds one by trying. A
 * shorter one that another writer has chosen may be found.
 */
export function hashed(id: string): string {
  return hash('sha256', id).slice(0, 32);
}

/** Errors that were logged: requests that share a read fail with the same one. */
const reported = new WeakSet<Error>();

/**
 * Logs the cause of a 5xx response, once for each error. It has the format that Error Reporting groups by stack trace
 * (https://cloud.google.com/error-reporting/docs/formatting-error-messages). A temporary failure is a warning.
 */
export function reportError(
  error: unknown,
  { requestId, method, path, status }: HandledRequest,
): void {
  if (error instanceof Error) {
    if (reported.has(error)) return;
    reported.add(error);
  }
  if (error instanceof HttpsError && error.code === 'unavailable') {
    logger.warn(error, { requestId });
    return;
  }
  logger.error(error, {
    '@type': 'type.googleapis.com/google.devtools.clouderrorreporting.v1beta1.ReportedErrorEvent',
    serviceContext: { service: FUNCTION_NAME, version: process.env.K_REVISION ?? 'local' },
    context: { httpRequest: { method, url: path, responseStatusCode: status } },
    requestId,
  });
}
