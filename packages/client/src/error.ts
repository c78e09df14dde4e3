import type { ErrorCode } from './types.ts';

/** A failed call. */
export class MarketplaceError extends Error {
  /** The HTTP status; 0 if there was no readable response. */
  status: number;
  /** The reason of the failure, for programs. */
  code: ErrorCode;
  /** The ID of the request in the logs of the service. Include it in bug reports. */
  requestId: string | undefined;
  /** Seconds to wait before a retry, if the service says so. */
  retryAfter: number | undefined;
  /** The number of requests that were sent. */
  attempts = 0;
  /**
   * True if one of these requests may have changed something: its response was lost, or the service reported an unknown
   * outcome. Always false for reads.
   */
  mayHaveSucceeded = false;

  constructor(
    message: string,
    details: Partial<
      Pick<MarketplaceError, 'status' | 'code' | 'requestId' | 'retryAfter' | 'cause'>
    > = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'MarketplaceError';
    this.status = details.status ?? 0;
    this.code = details.code ?? (this.status === 0 ? 'no-response' : 'platform');
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
  }
}
