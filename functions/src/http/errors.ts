import { HttpsError } from 'firebase-functions/https';

/** What a caller is told when something went wrong: a status, a sentence, and headers that explain it. */
export interface ErrorResponse {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A refusal by HTTP's own rules: its status or its headers are more than Firebase's canonical codes can say. */
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

/** After how many seconds a caller is asked to try again. */
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
  message: 'The service cannot answer right now. Please try again in a few seconds.',
  headers: { 'Retry-After': RETRY_AFTER },
};

/**
 * What the caller is told of an error. An `HttpsError` with a code of the 4xx says it itself; of all others the text is
 * never sent: it may name the project or a document.
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

/** The error for what cannot be done right now. Its cause is for the log only. */
export function unavailable(cause: unknown): HttpsError {
  const error = new HttpsError('unavailable', UNAVAILABLE.message);
  error.cause = cause;
  return error;
}
