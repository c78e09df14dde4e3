/** A canonical error code as Google's REST APIs write it (https://cloud.google.com/apis/design/errors). */
type GoogleStatus = string;

/** Errors after which the same call may succeed a moment later. */
const TRANSIENT_STATUSES: ReadonlySet<GoogleStatus> = new Set([
  'UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'RESOURCE_EXHAUSTED',
  'INTERNAL',
  'ABORTED',
  'UNKNOWN',
  'CANCELLED',
  'DATA_LOSS',
]);

/** Statuses which guarantee that a commit was not applied. */
const NOT_APPLIED_STATUSES: ReadonlySet<GoogleStatus> = new Set([
  'FAILED_PRECONDITION',
  'NOT_FOUND',
  'ABORTED',
  'ALREADY_EXISTS',
  'INVALID_ARGUMENT',
  'PERMISSION_DENIED',
  'UNAUTHENTICATED',
  'RESOURCE_EXHAUSTED',
]);

/** Firestore rejected a call, or its response was incomplete or too large. The message is for the log only. */
export class FirestoreError extends Error {
  /** Google's code, or `RESPONSE_TOO_LARGE` for a response beyond the caller's limit. */
  readonly status: GoogleStatus;
  /** True if the call was not sent, so that Firestore cannot have received it. */
  readonly wasNotSent: boolean;

  constructor(
    status: GoogleStatus,
    message: string,
    { cause, wasNotSent = false }: { readonly cause?: unknown; readonly wasNotSent?: boolean } = {},
  ) {
    super(`${status}: ${message}`, { cause });
    this.name = 'FirestoreError';
    this.status = status;
    this.wasNotSent = wasNotSent;
  }

  /** Returns whether the same call may succeed a moment later. */
  get isTransient(): boolean {
    return TRANSIENT_STATUSES.has(this.status);
  }

  /** Returns whether the commit was definitely not applied, and will not be applied later. */
  get wasNotApplied(): boolean {
    return this.wasNotSent || NOT_APPLIED_STATUSES.has(this.status);
  }
}

/** The error for a response that did not arrive completely. */
export function incompleteResponseError(message: string, cause?: unknown): FirestoreError {
  return new FirestoreError('UNAVAILABLE', message, { cause });
}

/** The error for a call that was not sent. */
export function notSentError(cause: unknown): FirestoreError {
  return new FirestoreError('UNAVAILABLE', 'The call was not sent.', { cause, wasNotSent: true });
}
