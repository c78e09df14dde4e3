import { HttpsError } from 'firebase-functions/https';

/** A canonical error code as Google's REST interfaces write it (https://cloud.google.com/apis/design/errors). */
export type Status = string;

/** The codes of failures that pass by themselves. Google's own client retries reads on these. */
const TRANSIENT: ReadonlySet<Status> = new Set([
  'UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'RESOURCE_EXHAUSTED',
  'INTERNAL',
  'ABORTED',
]);

/** What a status of HTTP says where the body of an error does not: a proxy answers with HTML. */
const STATUS_OF_HTTP: Readonly<Record<number, Status>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** Firestore refused a call, or its answer did not arrive whole. The text is for the log only. */
export class FirestoreError extends Error {
  readonly status: Status;

  constructor(status: Status, message: string, options?: ErrorOptions) {
    super(`${status}: ${message}`, options);
    this.name = 'FirestoreError';
    this.status = status;
  }

  /** Whether the same call may succeed a moment later. */
  get isTransient(): boolean {
    return TRANSIENT.has(this.status);
  }
}

/** The error that a response with this HTTP status tells of, by its body where that is Google's. */
export function errorOf(httpStatus: number, body: unknown): FirestoreError {
  const { status, message } = errorElement(body) ?? {};
  const fallback = STATUS_OF_HTTP[httpStatus] ?? (httpStatus >= 500 ? 'INTERNAL' : 'UNKNOWN');
  return new FirestoreError(
    typeof status === 'string' ? status : fallback,
    typeof message === 'string' ? message : `HTTP ${httpStatus}`,
  );
}

/** The `error` of a body, or of an element of it: calls that return a list report an error as one of its elements. */
export function errorElement(body: unknown): { status?: unknown; message?: unknown } | undefined {
  const elements: readonly unknown[] = Array.isArray(body) ? body : [body];
  for (const element of elements) {
    if (typeof element === 'object' && element !== null && 'error' in element) {
      return typeof element.error === 'object' && element.error !== null ? element.error : {};
    }
  }
  return undefined;
}

/** An answer that did not arrive whole. */
export function incomplete(what: string, cause?: unknown): FirestoreError {
  return new FirestoreError('UNAVAILABLE', what, { cause });
}

/** The error for callers while Firestore cannot be reached or is too slow. Its cause is for the log only. */
export function unavailable(cause: unknown): HttpsError {
  const error = new HttpsError('unavailable', 'Firestore is not available.');
  error.cause = cause;
  return error;
}
