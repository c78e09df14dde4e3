/** A canonical error code as Google's REST APIs write it (https://cloud.google.com/apis/design/errors). */
type Status = string;

/** Errors after which the same call may succeed a moment later. */
const TRANSIENT: ReadonlySet<Status> = new Set([
  'UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'RESOURCE_EXHAUSTED',
  'INTERNAL',
  'ABORTED',
  'UNKNOWN',
  'CANCELLED',
  'DATA_LOSS',
]);

/** Errors that prove that a commit was not applied. */
const WITHOUT_EFFECT: ReadonlySet<Status> = new Set([
  'FAILED_PRECONDITION',
  'NOT_FOUND',
  'ABORTED',
  'ALREADY_EXISTS',
  'INVALID_ARGUMENT',
  'PERMISSION_DENIED',
  'UNAUTHENTICATED',
  'RESOURCE_EXHAUSTED',
]);

/** Firestore rejected a call, or its response was incomplete. The message is for the log only. */
export class FirestoreError extends Error {
  readonly status: Status;
  /** Whether the call was not sent, so that Firestore cannot have received it. */
  readonly wasNotSent: boolean;

  constructor(
    status: Status,
    message: string,
    { cause, wasNotSent = false }: { readonly cause?: unknown; readonly wasNotSent?: boolean } = {},
  ) {
    super(`${status}: ${message}`, { cause });
    this.name = 'FirestoreError';
    this.status = status;
    this.wasNotSent = wasNotSent;
  }

  /** Whether the same call may succeed a moment later. */
  get isTransient(): boolean {
    return TRANSIENT.has(this.status);
  }

  /** Whether a commit that ended with this error was not applied, and never will be. */
  get hasNoEffect(): boolean {
    return this.wasNotSent || WITHOUT_EFFECT.has(this.status);
  }
}

/**
 * The error for a response with this HTTP status and body. Firestore itself responds with 200 or a readable error:
 * anything else was cut, or comes from something in between, and says nothing about the call.
 */
export function errorOf(httpStatus: number, body: unknown): FirestoreError {
  const { status, message } = errorElement(body) ?? {};
  return new FirestoreError(
    typeof status === 'string' ? status : 'UNAVAILABLE',
    typeof message === 'string' ? message : `HTTP ${httpStatus}`,
  );
}

interface ErrorElement {
  readonly status?: unknown;
  readonly message?: unknown;
}

/** The `error` of a response body. Calls that return a list report it as an element of the list. */
export function errorElement(body: unknown): ErrorElement | undefined {
  const elements: readonly unknown[] = Array.isArray(body) ? body : [body];
  for (const element of elements) {
    if (typeof element === 'object' && element !== null && 'error' in element) {
      // An error that says nothing is one, too.
      return Object(element.error) as ErrorElement;
    }
  }
  return undefined;
}

/** The error for a response that did not arrive completely. */
export function incomplete(message: string, cause?: unknown): FirestoreError {
  return new FirestoreError('UNAVAILABLE', message, { cause });
}

/** The error for a call that was not sent. */
export function notSent(cause: unknown): FirestoreError {
  return new FirestoreError('UNAVAILABLE', 'The call was not sent.', { cause, wasNotSent: true });
}
