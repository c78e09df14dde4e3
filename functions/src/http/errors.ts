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
    const retry = status === 503 || status === 429;
    return {
      status,
      message: error.message,
      headers: retry ? { 'Retry-After': RETRY_AFTER_SECONDS } : NOTHING,
    };
  }
  const code = codeOf(error);
  if (PASSING_GRPC_CODES.has(code)) return UNAVAILABLE;
  if (code === GRPC_NOT_FOUND) return NOT_FOUND;
  return FAULT;
}

/** The error for work that passed its deadline. */
export function deadlinePassed(): HttpsError {
  return new HttpsError('unavailable', UNAVAILABLE.message);
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
