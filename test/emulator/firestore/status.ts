/** gRPC status codes that the gateway itself answers with (https://grpc.io/docs/guides/status-codes/). */
export const Status = {
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  ABORTED: 10,
  INTERNAL: 13,
} as const;

/** An error with the gRPC status that a client is to see. */
export class StatusError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
