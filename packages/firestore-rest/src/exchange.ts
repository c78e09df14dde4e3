import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Backoff } from './backoff.ts';
import { FirestoreError, incomplete, notSent } from './firestoreError.ts';

/** How long the first byte of a response may take, in ms. */
const FIRST_BYTE_MS = 5_000;
/** The share of the time until the deadline that it may take at most: the rest is for another attempt. */
const SHARE_OF_TIME = 0.6;
/** How long a response may stall once it has begun, in ms, so that a dead connection does not use up the deadline. */
const SILENCE_MS = 4_000;

/** How long a call may take, and how much memory. */
export interface Limits {
  /** Aborts at the deadline, or when nobody waits for the call any more: it then ends, and nothing more is sent. */
  readonly signal: AbortSignal;
  /** The waits before further attempts, if they are those of several calls. */
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
 * The response to a request. Rejects with a transient error if it is not complete in time; the error says whether the server
 * may have received the request. A commit that may have arrived is not aborted by the signal: nobody would know what it did.
 */
export async function responseTo(
  request: ClientRequest,
  { signal, msLeft, maxBytes = Infinity }: Limits,
  isCommit: boolean,
): Promise<RawResponse> {
  const begun = Promise.withResolvers<IncomingMessage>();
  request.once('response', begun.resolve);
  // An error may follow the response too. The agent keeps the first request of a connection and its listeners while the
  // connection is open: the others go, and this one refers to nothing else.
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
      stop(new Error(`The response did not go on within ${Math.round(ms)} ms.`));
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

/** Whether the server may have received something of a request: once it has a socket that can send. */
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
