import { HttpsError } from 'firebase-functions/https';
import {
  outcomeUnknownError,
  ServiceError,
  unauthenticatedError,
  unavailableError,
  type ErrorCode,
} from '../declaration/errors.ts';
import { JSON_CONTENT_TYPE, type HttpResponse } from './httpResponse.ts';

/** The parts of an error that are sent. */
interface ErrorContent {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const INTERNAL_ERROR: ErrorContent = {
  status: 500,
  code: 'internal',
  message: 'Something went wrong on our side. Please try again later.',
};

/**
 * Converts any error to a response: `{message}`. Only the messages of a `ServiceError`, and of an `HttpsError` with a 4xx
 * status, are sent: others may contain the name of the project or of a document. `mayHaveWritten` is true for a request
 * that wrote before it failed, or that its deadline interrupted while it wrote.
 */
export function toErrorResponse(error: unknown, mayHaveWritten: boolean): HttpResponse {
  const content = mapError(error);
  return createErrorResponse(
    mayHaveWritten && content.status >= 500 ? outcomeUnknownError() : content,
  );
}

function mapError(error: unknown): ErrorContent {
  if (error instanceof ServiceError) return error;
  if (!(error instanceof HttpsError)) return INTERNAL_ERROR;
  const { code, message, httpErrorCode } = error;
  const { status } = httpErrorCode;
  if (status === 401) return unauthenticatedError(message);
  if (status === 503) return unavailableError();
  return status >= 500 ? INTERNAL_ERROR : { status, code, message };
}

/** Creates an error response. Its message is for people, and its code for programs. */
function createErrorResponse({ status, code, message, headers }: ErrorContent): HttpResponse {
  return {
    status,
    headers: { 'Content-Type': JSON_CONTENT_TYPE, 'X-Error-Code': code, ...headers },
    body: Buffer.from(JSON.stringify({ message })),
  };
}
