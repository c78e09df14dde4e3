import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import type { Backoff } from './backoff.ts';
import { FirestoreError, incomplete, notSent } from './firestoreError.ts';

/** How long an idle connection stays open, in ms: Google's front end closes it after 4 minutes. */
const IDLE_MS = 230_000;
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
 * Sends a JSON body to a path; rejects with a transient error if no complete response arrives in time. The error says
 * whether the server may have received the call. The headers are names and values in turn, as in `rawHeaders`. A commit
 * that was sent is not aborted by the signal: nobody would know what it did.
 */
export type Connection = (
  path: string,
  headers: readonly string[],
  body: string,
  limits: Limits,
  isCommit?: boolean,
) => Promise<RawResponse>;

/**
 * Keep-alive connections to Firestore. `node:https` takes less than half the CPU time of `fetch`. Proxy settings of the
 * environment apply as they do to Node's own requests.
 */
export function openConnection(host: string, isSecure: boolean): Connection {
  const options = {
    keepAlive: true,
    timeout: IDLE_MS,
    ...(process.env.NODE_USE_ENV_PROXY === '1' && { proxyEnv: process.env }),
  };
  const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  const request = isSecure ? httpsRequest : httpRequest;
  const url = new URL(`${isSecure ? 'https' : 'http'}://${host}`);
  // Of an IPv6 address they have the form that `request` expects.
  const { hostname, port } = urlToHttpOptions(url);

  return async (path, headers, body, limits, isCommit = false) => {
    // Between the check of the token and this one the request may have ended.
    if (limits.signal.aborted) throw notSent(limits.signal.reason);
    const sent = request({
      method: 'POST',
      hostname,
      port,
      path,
      agent,
      // An array takes less CPU time than an object. Node does not add the host to it.
      headers: [
        'Host',
        url.host,
        'Content-Type',
        'application/json',
        'Content-Length',
        String(Buffer.byteLength(body)),
        ...headers,
      ],
    });
    const exchange = new Exchange(sent, isCommit);
    const response = exchange.response(isSecure ? 'secureConnect' : 'connect', limits);
    sent.end(body);
    return response;
  };
}

/** What is needed until the response is complete. */
interface Pending extends PromiseWithResolvers<RawResponse> {
  readonly limits: Limits;
  readonly chunks: Buffer[];
}

/**
 * A request and its response. The agent keeps the first request of each connection, with all that its listeners refer to,
 * for as long as the connection is open: so they refer to this object only, which is emptied at the end.
 */
class Exchange {
  readonly #sent: ClientRequest;
  readonly #isCommit: boolean;
  #pending: Pending | undefined;
  #timer: NodeJS.Timeout | undefined;
  #bytes = 0;
  #mayHaveArrived = false;

  constructor(sent: ClientRequest, isCommit: boolean) {
    this.#sent = sent;
    this.#isCommit = isCommit;
  }

  /** Resolves when the response is complete. `connected` is the event of a socket that can send. */
  async response(connected: string, limits: Limits): Promise<RawResponse> {
    const pending = { ...Promise.withResolvers<RawResponse>(), limits, chunks: [] };
    this.#pending = pending;
    // Timers and a listener of our own take far less CPU time than the request's options `timeout` and `signal`.
    this.#stopAfter(Math.min(FIRST_BYTE_MS, SHARE_OF_TIME * limits.msLeft));
    limits.signal.addEventListener('abort', this.#abort);
    this.#sent.on('error', this.#fail);
    this.#sent.on('response', this.#receive);
    this.#sent.on('socket', (socket: Socket & { readonly secureConnecting?: boolean }) => {
      const arrives = () => {
        this.#mayHaveArrived = true;
      };
      if (!socket.connecting && socket.secureConnecting !== true) arrives();
      else socket.once(connected, arrives);
    });
    return pending.promise;
  }

  readonly #receive = (response: IncomingMessage): void => {
    response.on('data', (chunk: Buffer) => {
      this.#take(chunk);
    });
    response.on('error', this.#fail);
    response.on('end', () => {
      const { chunks, resolve } = this.#settle() ?? {};
      // All chunks at once: one may end within a character.
      const text = Buffer.concat(chunks ?? []).toString();
      resolve?.({ status: response.statusCode ?? 0, text, bytes: this.#bytes });
    });
  };

  #take(chunk: Buffer): void {
    if (this.#pending === undefined) return;
    const { chunks, limits } = this.#pending;
    this.#bytes += chunk.length;
    chunks.push(chunk);
    if (this.#bytes > (limits.maxBytes ?? Infinity)) {
      this.#stop(new FirestoreError('RESPONSE_TOO_LARGE', `More than ${limits.maxBytes} bytes.`));
    } else {
      this.#stopAfter(SILENCE_MS);
    }
  }

  #stopAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#stop(new Error(`The response did not go on within ${Math.round(ms)} ms.`));
    }, ms);
  }

  readonly #abort = (): void => {
    if (this.#isCommit && this.#mayHaveArrived) return;
    this.#stop(this.#pending?.limits.signal.reason);
  };

  #stop(cause: unknown): void {
    this.#fail(cause);
    this.#sent.destroy();
  }

  readonly #fail = (cause: unknown): void => {
    const { reject } = this.#settle() ?? {};
    if (cause instanceof FirestoreError) reject?.(cause);
    else if (this.#mayHaveArrived) reject?.(incomplete('The connection failed.', cause));
    else reject?.(notSent(cause));
  };

  /** Ends the request, and returns what was pending. */
  #settle(): Pending | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    clearTimeout(this.#timer);
    pending?.limits.signal.removeEventListener('abort', this.#abort);
    return pending;
  }
}
