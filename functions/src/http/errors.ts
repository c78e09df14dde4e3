import { HttpsError } from 'firebase-functions/https';

/** What a caller is told when something went wrong: a status, a sentence, and headers that explain it. */
export interface Failure {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A refusal by HTTP's own rules, for which Firebase's canonical codes have no name. */
export class HttpRefusal extends Error implements Failure {
  readonly status: 405 | 413 | 415;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: 405 | 413 | 415, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

const RETRY_AFTER_SECONDS = '5';

/** gRPC codes that pass by themselves: deadline exceeded, resource exhausted, aborted, unavailable. */
const PASSING_GRPC_CODES: ReadonlySet<unknown> = new Set([4, 8, 10, 14]);
const GRPC_NOT_FOUND = 5;

/** https://www.rfc-editor.org/rfc/rfc6750#section-3 */
const CHALLENGE = 'Bearer';

const NOTHING: Readonly<Record<string, string>> = {};
const FAULT: Failure = {
  status: 500,
  message: 'Something went wrong on our side. Please try again later.',
  headers: NOTHING,
};
const UNAVAILABLE: Failure = {
  status: 503,
  message: 'The service cannot answer right now. Please try again in a few seconds.',
  headers: { 'Retry-After': RETRY_AFTER_SECONDS },
};
const NOT_FOUND: Failure = {
  status: 404,
  message: 'What the request names does not exist.',
  headers: NOTHING,
};

/**
 * What the caller is told of an error. The text of an error that is not ours is never sent on: Firestore's
 * names the project and the document.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof HttpRefusal) return error;
  if (error instanceof HttpsError) {
    const { status } = error.httpErrorCode;
    if (status >= 500 && status !== 503) return FAULT;
    return { status, message: error.message, headers: headersOf(status) };
  }
  if (PASSING_GRPC_CODES.has(codeOf(error))) return UNAVAILABLE;
  if (isNotFound(error)) return NOT_FOUND;
  return FAULT;
}

function headersOf(status: number): Readonly<Record<string, string>> {
  if (status === 401) return { 'WWW-Authenticate': CHALLENGE };
  // For 429 the throttle has said after how long.
  if (status === 503) return { 'Retry-After': RETRY_AFTER_SECONDS };
  return NOTHING;
}

/** Whether Firestore refused because a document does not exist. */
export function isNotFound(error: unknown): boolean {
  return codeOf(error) === GRPC_NOT_FOUND;
}

/** The error for what cannot be done right now: Firestore or the token keys out of reach, a deadline passed. */
export function unavailable(): HttpsError {
  return new HttpsError('unavailable', UNAVAILABLE.message);
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
