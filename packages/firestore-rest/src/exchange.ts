import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Backoff } from './backoff.ts';
import { FirestoreError, incomplete, notSent } from './firestoreError.ts';

/** How long the first byte of a response may take, in ms. */
const FIRST_BYTE_MS = 5_000;
/** Maximum share of the remaining time. The rest is left for a retry. */
const SHARE_OF_TIME = 0.6;
/** How long a response may stall once it has begun, in ms, so that a dead connection does not use up the deadline. */
const SILENCE_MS = 4_000;

/** How long a call may take, and how much memory. */
export interface Limits {
  /**
   * Aborts at the deadline, or when the result is no longer needed. Cancels the call and its
   * retries.
   */
  readonly signal: AbortSignal;
  /** The backoff to use, if several calls share one. */
  readonly backoff?: Backoff;
  /** The time until the deadline, in ms. */
  readonly msLeft: number;
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
export async function responseTo(
  request: ClientRequest,
  { signal, msLeft, maxBytes = Infinity }: Limits,
  isCommit: boolean,
): Promise<RawResponse> {
  const begun = Promise.withResolvers<IncomingMessage>();
  request.once('response', begun.resolve);
  // The request may still emit an error after the response has started, so this listener stays. The
  // agent retains the first request of a connection, with its listeners, for as long as the
  // connection is open: this one must not capture anything else.
  request.on('error', begun.reject);

  const arrival = trackArrival(request);

  let response: IncomingMessage | undefined;
  const stop = (cause: Error) => {
    begun.reject(cause);
    (response ?? request).destroy(cause);
  };
  const abort = () => {
    if (!(isCommit && arrival.isPossible)) stop(signal.reason as Error);
  };
  let timer: NodeJS.Timeout | undefined;
  const stopAfter = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      stop(new Error(`The response stalled for ${Math.round(ms)} ms.`));
    }, ms);
  };

  // Timers and a listener of our own take far less CPU time than the request's options `timeout` and `signal`.
  signal.addEventListener('abort', abort);
  stopAfter(Math.min(FIRST_BYTE_MS, SHARE_OF_TIME * msLeft));
  try {
    response = await begun.promise;
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      stopAfter(SILENCE_MS);
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
    throw arrival.isPossible ? incomplete('The connection failed.', cause) : notSent(cause);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Tracks whether the server may have received any part of a request: true once its socket is
 * connected.
 */
function trackArrival(request: ClientRequest): { readonly isPossible: boolean } {
  const arrival = { isPossible: false };
  const begin = () => {
    arrival.isPossible = true;
  };
  request.once('socket', (socket: Socket & { readonly secureConnecting?: boolean }) => {
    if (!socket.connecting && socket.secureConnecting !== true) begin();
    else socket.once(socket.secureConnecting === undefined ? 'connect' : 'secureConnect', begin);
  });
  return arrival;
}
