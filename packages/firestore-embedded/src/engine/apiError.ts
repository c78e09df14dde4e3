/** Errors in the format of Google's APIs. */

/** The HTTP status of each code. */
const HTTP_STATUS_BY_GOOGLE_CODE = {
  INVALID_ARGUMENT: 400,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  PERMISSION_DENIED: 403,
  FAILED_PRECONDITION: 400,
  ABORTED: 409,
  UNIMPLEMENTED: 501,
  INTERNAL: 500,
} as const;

/** A request that is rejected. */
export class ApiError extends Error {
  readonly status: number;
  /** The body of the response. */
  readonly body: object;

  constructor(code: keyof typeof HTTP_STATUS_BY_GOOGLE_CODE, message: string) {
    super(message);
    this.status = HTTP_STATUS_BY_GOOGLE_CODE[code];
    this.body = { error: { code: this.status, message, status: code } };
  }
}

/** The error for a request that Firestore rejects as well. */
export function invalidArgumentError(message: string): ApiError {
  return new ApiError('INVALID_ARGUMENT', message);
}

/** The error for a request that Firestore may support, but this emulator does not. */
export function unimplementedError(feature: string): ApiError {
  return new ApiError(
    'UNIMPLEMENTED',
    `The embedded Firestore does not support ${feature}. Google’s own emulator has it: npx firebase-tools emulators:start --only firestore.`,
  );
}
