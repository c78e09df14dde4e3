import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Backoff } from './backoff.ts';
import { FirestoreError, incompleteResponseError, notSentError } from './firestoreError.ts';

/** How long the first byte of a response may take, in ms. */
const FIRST_BYTE_TIMEOUT_MS = 5_000;
/** Maximum share of the remaining time. The rest is left for a retry. */
const FIRST_BYTE_TIME_SHARE = 0.6;
/** How long a response may stall once it has begun, in ms, so that a dead connection does not use up the deadline. */
const STALL_TIMEOUT_MS = 4_000;

/** How long a call may take, and how much memory. */
export interface CallOptions {
  /**
   * Aborts at the deadline, or when the result is no longer needed. Cancels the call and its
   * retries.
   */
  readonly signal: AbortSignal;
  /** The backoff to use, if several calls share one. */
  readonly backoff?: Backoff;
  /** The time until the deadline, in ms. */
  readonly remainingMs: number;
  /** The most bytes that the body of a response may have. Beyond, the call ends with `RESPONSE_TOO_LARGE`. */
  readonly maxBytes?: number;
}

/** A response whose body arrived completely. */
export interface RawResponse {
  readonly status: number;
  readonly text: string;
  /** The size of the body. */
  readonly bytes: number;
}

/**
 * Waits for the complete response. Rejects with a transient error after a timeout; `wasNotSent` is
 * true if the server cannot have received the request. The signal does not abort a commit that may
 * have arrived: its outcome would be unknown.
 */
export async function receiveResponse(
  request: ClientRequest,
  { signal, remainingMs, maxBytes = Infinity }: CallOptions,
  isCommit: boolean,
): Promise<RawResponse> {
  const responseStarted = Promise.withResolvers<IncomingMessage>();
  request.once('response', responseStarted.resolve);
  // The request may still emit an error after the response has started, so this listener stays. The
  // agent retains the first request of a connection, with its listeners, for as long as the
  // connection is open: this one must not capture anything else.
  request.on('error', responseStarted.reject);

  const arrival = trackDelivery(request);

  let response: IncomingMessage | undefined;
  const stop = (cause: Error) => {
    responseStarted.reject(cause);
    (response ?? request).destroy(cause);
  };
  const abort = () => {
    if (!(isCommit && arrival.mayHaveArrived)) stop(signal.reason as Error);
  };
  let timer: NodeJS.Timeout | undefined;
  const restartTimer = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      stop(new Error(`The response stalled for ${Math.round(ms)} ms.`));
    }, ms);
  };

  // Timers and a listener of our own take far less CPU time than the request's options `timeout` and `signal`.
  signal.addEventListener('abort', abort);
  restartTimer(Math.min(FIRST_BYTE_TIMEOUT_MS, FIRST_BYTE_TIME_SHARE * remainingMs));
  try {
    response = await responseStarted.promise;
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      restartTimer(STALL_TIMEOUT_MS);
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) {
        throw new FirestoreError('RESPONSE_TOO_LARGE', `More than ${maxBytes} bytes.`);
      }
    }
    // All chunks at once: one may end within a character.
    const text = Buffer.concat(chunks).toString();
    return { status: response.statusCode ?? 0, text, bytes };
  } catch (cause) {
    if (cause instanceof FirestoreError) throw cause;
    throw arrival.mayHaveArrived
      ? incompleteResponseError('The connection failed.', cause)
      : notSentError(cause);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Tracks whether the server may have received any part of a request: true once its socket is
 * connected.
 */
function trackDelivery(request: ClientRequest): { readonly mayHaveArrived: boolean } {
  const arrival = { mayHaveArrived: false };
  const begin = () => {
    arrival.mayHaveArrived = true;
  };
  request.once('socket', (socket: Socket & { readonly secureConnecting?: boolean }) => {
    if (!socket.connecting && socket.secureConnecting !== true) begin();
    else socket.once(socket.secureConnecting === undefined ? 'connect' : 'secureConnect', begin);
  });
  return arrival;
}
