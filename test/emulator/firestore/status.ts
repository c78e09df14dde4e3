/** The gRPC status codes of the gateway's own errors (https://grpc.io/docs/guides/status-codes/). */
export const Status = {
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  INTERNAL: 13,
} as const;

/** An error with a gRPC status for the client. */
export class StatusError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * An error as the client receives it. Errors of the engine and the gateway have a code; any other is an internal error.
 */
export function statusOf(error: unknown): { code: number; message: string } {
  const { message, code } = error as { message?: string; code?: unknown };
  return {
    code: typeof code === 'number' ? code : Status.INTERNAL,
    message: message ?? String(error),
  };
}
