/** The errors of the service, and their codes. */
import { HttpsError, type FunctionsErrorCode } from 'firebase-functions/https';

/** The HTTP status of each code of a `ServiceError`. Some codes are Firebase's canonical codes, and some are more specific. */
const HTTP_STATUS_BY_CODE = {
  'invalid-argument': 400,
  'cursor-not-found': 400,
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
  'outcome-unknown': 503,
} as const;

type ServiceErrorCode = keyof typeof HTTP_STATUS_BY_CODE;

/** The values of the response header `X-Error-Code`. Their meanings never change. */
export type ErrorCode = FunctionsErrorCode | ServiceErrorCode;

/** An error whose code or headers an `HttpsError` cannot express. Its message is sent to the caller. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ServiceErrorCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.code = code;
    this.headers = headers;
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

/** Creates the error for a temporary failure. The cause is for the log only. */
export function unavailableError(cause: unknown): HttpsError {
  const error = new HttpsError('unavailable', 'The service is temporarily unavailable.');
  error.cause = cause;
  return error;
}
