/** A canonical error code as Google's REST APIs write it (https://cloud.google.com/apis/design/errors). */
export type Status = string;

/** Transient errors: Google's own client retries reads on these. */
const TRANSIENT: ReadonlySet<Status> = new Set([
  'UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'RESOURCE_EXHAUSTED',
  'INTERNAL',
  'ABORTED',
]);

/**
 * The codes for HTTP statuses that are final even if the body has no code, such as an HTML page from a proxy. All others
 * say nothing certain about the call.
 */
const FINAL: Readonly<Record<number, Status>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
};

/** Firestore rejected a call, or its response was incomplete. The message is for the log only. */
export class FirestoreError extends Error {
  readonly status: Status;
  /** Whether Firestore cannot have received the call, so that it has no effect and never will. */
  wasNotSent = false;

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

/** The error for a response with this HTTP status and body. */
export function errorOf(httpStatus: number, body: unknown): FirestoreError {
  const { status, message } = errorElement(body) ?? {};
  // Firestore itself responds with 200 or a readable error: anything else was cut, or comes from something in between.
  const fallback = FINAL[httpStatus] ?? 'UNAVAILABLE';
  return new FirestoreError(
    typeof status === 'string' ? status : fallback,
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

/** The same error, for a call that was never sent. */
export function notSent(error: FirestoreError): FirestoreError {
  error.wasNotSent = true;
  return error;
}
