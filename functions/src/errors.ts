/** The errors of the service, and their codes. */
import { HttpsError, type FunctionsErrorCode } from 'firebase-functions/https';

/** Codes for what Firebase's canonical codes do not express, with their HTTP statuses. */
export const OWN_CODES = {
  'cursor-not-found': 400,
  'app-check': 403,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  'request-timeout': 408,
  'payload-too-large': 413,
  'unsupported-media-type': 415,
  'outcome-unknown': 503,
} as const;

/** A code that only this service has. */
export type OwnCode = keyof typeof OWN_CODES;

/** The values of the response header `X-Error-Code`. Their meanings never change. */
export type ErrorCode = FunctionsErrorCode | OwnCode;

/** An error whose code or headers an `HttpsError` cannot express. Its message is sent to the caller. */
export class ServiceError extends Error {
  readonly code: OwnCode | 'resource-exhausted';
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: OwnCode | 'resource-exhausted',
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.code = code;
    this.headers = headers;
  }

  get status(): number {
    return this.code === 'resource-exhausted' ? 429 : OWN_CODES[this.code];
  }
}

/** The error for a temporary failure. The cause is for the log only. */
export function unavailable(cause: unknown): HttpsError {
  const error = new HttpsError('unavailable', 'The service is temporarily unavailable.');
  error.cause = cause;
  return error;
}
