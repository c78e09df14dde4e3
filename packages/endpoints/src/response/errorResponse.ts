import { HttpsError } from 'firebase-functions/https';
import { FirestoreError } from '@tattoo-marketplace/firestore-rest';
import { ServiceError, type ErrorCode } from '../declaration/errors.ts';
import { JSON_CONTENT_TYPE, type HttpResponse } from './httpResponse.ts';

const RETRY_AFTER = { 'Retry-After': '5' };
/** https://www.rfc-editor.org/rfc/rfc6750#section-3 */
const BEARER_CHALLENGE = { 'WWW-Authenticate': 'Bearer' };

const INTERNAL_ERROR = createErrorResponse(
  500,
  'internal',
  'Something went wrong on our side. Please try again later.',
);
const UNAVAILABLE = createErrorResponse(
  503,
  'unavailable',
  'The service is temporarily unavailable. Please try again in a few seconds.',
  RETRY_AFTER,
);
const OUTCOME_UNKNOWN = createErrorResponse(
  503,
  'outcome-unknown',
  'The service could not confirm the change: it may have been made, or may be made in a moment. Please look before you try again.',
  RETRY_AFTER,
);

/**
 * Converts any error to a response: `{message}`. Only the messages of a `ServiceError`, and of an `HttpsError` with a 4xx
 * status, are sent: others may contain the name of the project or of a document. `mayHaveWritten` is true if a change of
 * the request may have been made, or may be made a moment later.
 */
export function toErrorResponse(error: unknown, mayHaveWritten: boolean): HttpResponse {
  const response = mapError(error);
  return mayHaveWritten && response.status >= 500 ? OUTCOME_UNKNOWN : response;
}

function mapError(error: unknown): HttpResponse {
  if (error instanceof ServiceError) {
    return createErrorResponse(error.status, error.code, error.message, error.headers);
  }
  // Firestore rejected our access token twice, so nothing was applied.
  if (error instanceof FirestoreError && error.status === 'UNAUTHENTICATED') return UNAVAILABLE;
  if (!(error instanceof HttpsError)) return INTERNAL_ERROR;
  const { status } = error.httpErrorCode;
  if (status === 503) return UNAVAILABLE;
  if (status >= 500) return INTERNAL_ERROR;
  return createErrorResponse(
    status,
    error.code,
    error.message,
    status === 401 ? BEARER_CHALLENGE : {},
  );
}

/** Creates an error response. Its message is for people, and its code for programs. */
function createErrorResponse(
  status: number,
  code: ErrorCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    status,
    headers: { 'Content-Type': JSON_CONTENT_TYPE, 'X-Error-Code': code, ...headers },
    body: Buffer.from(JSON.stringify({ message })),
  };
}
