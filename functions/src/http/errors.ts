import { HttpsError } from 'firebase-functions/https';
import { HttpError, type ErrorCode } from '../platform/errors.ts';

/** An error as it is sent to the caller. */
export interface ErrorResponse {
  readonly status: number;
  /** For programs: the response header `X-Error-Code`. */
  readonly code: ErrorCode;
  /** For people: the body. */
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

const RETRY_AFTER_SECONDS = { 'Retry-After': '5' };
/** https://www.rfc-editor.org/rfc/rfc6750#section-3 */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' };

const NO_HEADERS: Readonly<Record<string, string>> = {};
const FAULT: ErrorResponse = {
  status: 500,
  code: 'internal',
  message: 'Something went wrong on our side. Please try again later.',
  headers: NO_HEADERS,
};
const UNAVAILABLE: ErrorResponse = {
  status: 503,
  code: 'unavailable',
  message: 'The service is temporarily unavailable. Please try again in a few seconds.',
  headers: RETRY_AFTER_SECONDS,
};
const OUTCOME_UNKNOWN: ErrorResponse = {
  status: 503,
  code: 'outcome-unknown',
  message:
    'The service could not confirm the change: it may have been made, or may be made in a moment. Please look before you try again.',
  headers: RETRY_AFTER_SECONDS,
};

/**
 * Converts any error to a response. Only the messages of an `HttpError`, and of an `HttpsError` with a 4xx status, are
 * sent: others may contain the name of the project or of a document. `mayHaveWritten` is true if a change of the request
 * may have been made, or may be made a moment later.
 */
export function toErrorResponse(error: unknown, mayHaveWritten: boolean): ErrorResponse {
  if (error instanceof HttpError) {
    const { status, code, message, headers } = error;
    return { status, code, message, headers };
  }
  if (!(error instanceof HttpsError)) return FAULT;
  const { status } = error.httpErrorCode;
  if (status === 503) return mayHaveWritten ? OUTCOME_UNKNOWN : UNAVAILABLE;
  if (status >= 500) return FAULT;
  const { code, message } = error;
  return { status, code, message, headers: status === 401 ? CHALLENGE : NO_HEADERS };
}
