import { hash } from 'node:crypto';
import { HttpsError } from 'firebase-functions/https';
import { logger } from 'firebase-functions/logger';
import { FieldError, ServiceError } from '../declaration/errors.ts';
import { functionTarget } from './functionTarget.ts';
import { LineLimit } from './lineLimit.ts';
import { isDeployed, isFunctionsEmulator } from './environment.ts';
import type { RequestContext } from './requestContext.ts';

/** The name of the function that this process serves. The platform sets these variables. */
const FUNCTION_NAME = process.env.K_SERVICE ?? functionTarget ?? 'unknown';

/** True in the emulator (`npm start`). Read once, not for each request. */
const IS_EMULATOR = isFunctionsEmulator();

/** The advice below an error that a developer may have thrown to reject a request. */
const REJECTION_ADVICE =
  'Any other error than a FieldError or a ServiceError is a 500. Throw one of these to reject a request.';

/** The code and the status of an error that is no `ServiceError`. */
const UNEXPECTED_ERROR = { code: 'internal', status: 500 } as const;

/** The statuses with which callers without an account, or beyond their quota, can cause any number of lines. */
const LIMITED_STATUSES: ReadonlySet<number> = new Set([401, 429]);
const lineLimit = new LineLimit(10);

/**
 * A request that has ended, as it is logged. The HTTP method is the only value in it that comes from
 * the client.
 */
export interface LoggedRequest {
  readonly method: string;
  /**
   * The path template of the endpoint; undefined if no endpoint matches. The actual path is not
   * logged, because it may contain IDs.
   */
  readonly path: string | undefined;
  readonly status: number;
  readonly errorCode?: string | undefined;
  /** The error behind the response. */
  readonly error?: unknown;
}

/**
 * Writes the log line of a request in Cloud Logging's structured format
 * (https://cloud.google.com/logging/docs/structured-logging), so that `httpRequest` becomes a field
 * of the log entry. The logger adds the trace of the request. At most ten lines a second are written for 401 and 429; with
 * the first request after that second, one line has the number of the others.
 */
export function logRequest(
  { method, path, status, errorCode, error }: LoggedRequest,
  latencyMs: number,
  { requestId, usage, callerHash: caller, clientDisconnected, mayHaveWritten }: RequestContext,
): void {
  logOmittedLines();
  if (LIMITED_STATUSES.has(status) && !lineLimit.admit()) return;
  const clientError = isClientError(status) ? error : undefined;
  const { field, id } = clientError instanceof FieldError ? clientError : {};
  logger.write({
    severity: getSeverity(status),
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
    latencyMs: roundLatency(latencyMs),
    firestoreReads: usage.reads,
    firestoreWrites: usage.writes,
    mayHaveWritten: clientDisconnected ? mayHaveWritten : undefined,
    caller,
    field,
    // Logged only if callers are logged.
    document: caller && id && hashId(id),
    // Development only. Error messages are not logged in production, because they might quote a
    // value that the client sent.
    rejection: IS_EMULATOR && clientError instanceof Error ? clientError.message : undefined,
  });
}

/** Rounds a duration in ms to µs. */
function roundLatency(latencyMs: number): number {
  return Math.round(latencyMs * 1000) / 1000;
}

function logOmittedLines(): void {
  const omittedRequests = lineLimit.takeOmitted();
  if (omittedRequests === 0) return;
  const fields = { function: FUNCTION_NAME, omittedRequests };
  logger.warn('More requests than are logged were rejected with 401 or 429.', fields);
}

/** Returns whether the client caused the error. 499 is excluded: the client disconnected and received no response. */
function isClientError(status: number): boolean {
  return status < 499;
}

function getSeverity(status: number): 'ERROR' | 'WARNING' | 'INFO' {
  if (status >= 500) return 'ERROR';
  return status === 429 ? 'WARNING' : 'INFO';
}

/**
 * Logs a coalesced read. Its Firestore reads are not counted in the log lines of the requests that
 * share it.
 */
export function logCoalescedRead({ requestId, usage }: RequestContext, latencyMs: number): void {
  const fields = { function: FUNCTION_NAME, requestId, firestoreReads: usage.reads, latencyMs };
  logger.info('Read a coalesced response.', fields);
}

/** Writes the log line of a background run, with the code of its error if it failed. */
export function logBackgroundRun(
  error: unknown,
  latencyMs: number,
  { requestId, usage, mayHaveWritten }: RequestContext,
): void {
  const { code, status } = error instanceof ServiceError ? error : UNEXPECTED_ERROR;
  logger.write({
    ...(error === undefined
      ? { severity: 'INFO', message: 'The background work is done.' }
      : {
          severity: isClientError(status) ? 'WARNING' : 'ERROR',
          message: `The background work failed: ${code}.`,
          errorCode: code,
          field: error instanceof FieldError ? error.field : undefined,
          mayHaveWritten,
        }),
    function: FUNCTION_NAME,
    requestId,
    latencyMs: roundLatency(latencyMs),
    firestoreReads: usage.reads,
    firestoreWrites: usage.writes,
  });
}

/**
 * Hashes an ID for the log. IDs generated by Firebase Auth and Firestore are long and random, so
 * their hashes cannot be reversed by guessing. Short IDs chosen by other writers can.
 */
export function hashId(id: string): string {
  return hash('sha256', id).slice(0, 32);
}

/** The errors that are already logged. Requests that share a coalesced read fail with the same error. */
const reportedErrors = new WeakSet<Error>();

/**
 * Logs the cause of a 5xx response, once for each error. It has the format that Error Reporting
 * groups by stack trace (https://cloud.google.com/error-reporting/docs/formatting-error-messages).
 * A temporary failure is a warning. In tests and in the emulator, advice follows a plain `Error`.
 */
export function reportError(
  { error, method, path, status }: LoggedRequest,
  { requestId }: RequestContext,
): void {
  if (error instanceof Error) {
    if (reportedErrors.has(error)) return;
    reportedErrors.add(error);
  }
  if (isTemporary(error)) {
    logger.warn(error, { requestId });
    return;
  }
  const isPlainError = error instanceof Error && error.constructor === Error;
  const advice = isPlainError && !isDeployed() ? [`\n${REJECTION_ADVICE}`] : [];
  logger.error(error, ...advice, {
    '@type': 'type.googleapis.com/google.devtools.clouderrorreporting.v1beta1.ReportedErrorEvent',
    serviceContext: { service: FUNCTION_NAME, version: process.env.K_REVISION ?? 'local' },
    context: { httpRequest: { method, url: path, responseStatusCode: status } },
    requestId,
  });
}

function isTemporary(error: unknown): boolean {
  if (error instanceof ServiceError) return error.logLevel === 'warn';
  return error instanceof HttpsError && error.code === 'unavailable';
}
