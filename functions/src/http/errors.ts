import { HttpsError } from 'firebase-functions/https';

/** An error as it is sent to the caller. */
export interface ErrorResponse {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An error whose status or headers cannot be expressed by Firebase's canonical codes. */
export class HttpError extends Error implements ErrorResponse {
  readonly status: 405 | 413 | 415 | 429;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: 405 | 413 | 415 | 429,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** In seconds. */
const RETRY_AFTER = '5';

/** https://www.rfc-editor.org/rfc/rfc6750#section-3 */
const CHALLENGE = 'Bearer';

const NO_HEADERS: Readonly<Record<string, string>> = {};
const FAULT: ErrorResponse = {
  status: 500,
  message: 'Something went wrong on our side. Please try again later.',
  headers: NO_HEADERS,
};
const UNAVAILABLE: ErrorResponse = {
  status: 503,
  message: 'The service is temporarily unavailable. Please try again in a few seconds.',
  headers: { 'Retry-After': RETRY_AFTER },
};

/**
 * Converts any error to a response. Only the messages of an `HttpError`, and of an `HttpsError` with a 4xx status, are
 * sent: others may contain the name of the project or of a document.
 */
export function toErrorResponse(error: unknown): ErrorResponse {
  if (error instanceof HttpError) return error;
  if (!(error instanceof HttpsError)) return FAULT;
  const { status } = error.httpErrorCode;
  if (status === 503) return UNAVAILABLE;
  if (status >= 500) return FAULT;
  const { message } = error;
  return {
    status,
    message,
    headers: status === 401 ? { 'WWW-Authenticate': CHALLENGE } : NO_HEADERS,
  };
}

/** The error for a temporary failure. The cause is for the log only. */
export function unavailable(cause: unknown): HttpsError {
  const error = new HttpsError('unavailable', UNAVAILABLE.message);
  error.cause = cause;
  return error;
}
