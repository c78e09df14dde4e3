/** The errors of the service, and their codes. */
import type { FunctionsErrorCode } from 'firebase-functions/https';

/** The HTTP status of each code of a `ServiceError`. Some codes are Firebase's canonical codes, and some are more specific. */
export const HTTP_STATUS_BY_CODE = {
  'invalid-argument': 400,
  'cursor-not-found': 400,
  unauthenticated: 401,
  'permission-denied': 403,
  'app-check': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  'request-timeout': 408,
  'already-exists': 409,
  'payload-too-large': 413,
  'unsupported-media-type': 415,
  'resource-exhausted': 429,
  unavailable: 503,
  'outcome-unknown': 503,
} as const;

type ServiceErrorCode = keyof typeof HTTP_STATUS_BY_CODE;

/** The values of the response header `X-Error-Code`. Their meanings never change. */
export type ErrorCode = FunctionsErrorCode | ServiceErrorCode;

/** Options of an error. */
interface ServiceErrorOptions {
  /** The headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The error behind this one, for the log only. */
  readonly cause?: unknown;
  /** The level at which a 5xx is logged. A failure that ends by itself is a warning. */
  readonly logLevel?: 'warn' | 'error';
}

/** An error with a response. Its message is sent to the caller. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly logLevel: 'warn' | 'error';

  constructor(
    code: ServiceErrorCode,
    message: string,
    { headers = {}, logLevel = 'warn', ...options }: ServiceErrorOptions = {},
  ) {
    super(message, options);
    this.code = code;
    this.headers = headers;
    this.logLevel = logLevel;
  }

  get status(): number {
    return HTTP_STATUS_BY_CODE[this.code];
  }
}

/** A field of a request. */
export interface RequestField {
  /** The path of the field in the request: `flashUpdates[3].id`. */
  readonly field: string;
  /** The ID of the document that the field refers to, if it refers to one. */
  readonly id?: string;
}

/**
 * An error about a request field. `new FieldError('not-found', { field: 'bookingId', id }, 'does
 * not exist')` has the message "bookingId does not exist." The field is logged, and a hash of the
 * ID if callers are logged.
 */
export class FieldError extends ServiceError {
  readonly field: string;
  readonly id: string | undefined;

  constructor(code: ServiceErrorCode, { field, id }: RequestField, problem: string) {
    super(code, `${field} ${problem}.`);
    this.field = field;
    this.id = id;
  }
}

/** Creates the error for a missing or invalid ID token. The challenge is that of RFC 6750, section 3. */
export function unauthenticatedError(message: string): ServiceError {
  return new ServiceError('unauthenticated', message, {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** The headers of 503 responses. */
const RETRY_LATER = { 'Retry-After': '5' };

/** Creates the error for a temporary failure: nothing was done, and nothing will be. The cause is for the log only. */
export function unavailableError(
  cause?: unknown,
  options: Pick<ServiceErrorOptions, 'logLevel'> = {},
): ServiceError {
  const message = 'The service is temporarily unavailable. Please try again in a few seconds.';
  return new ServiceError('unavailable', message, { headers: RETRY_LATER, cause, ...options });
}

/** Creates the error for a change that may have been made, or may be made in a moment. The cause is for the log only. */
export function outcomeUnknownError(cause?: unknown): ServiceError {
  const message =
    'The service could not confirm the change: it may have been made, or may be made in a moment. Please look before you try again.';
  return new ServiceError('outcome-unknown', message, { headers: RETRY_LATER, cause });
}
