/** Sends requests to Firestore over keep-alive connections, with timeouts and a size limit. */
import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { FirestoreError, incompleteResponseError, notSentError } from './firestoreError.ts';
import type { CallLimits } from './retry.ts';

/** Time for which an idle connection stays open, in ms. Google's front end closes it after 4 minutes. */
const IDLE_TIMEOUT_MS = 230_000;
/** Maximum time until the headers of a response arrive, in ms. */
const FIRST_BYTE_TIMEOUT_MS = 5_000;
/** Maximum share of the remaining time until the headers arrive. The rest is for a retry. */
const FIRST_BYTE_TIME_SHARE = 0.6;
/** Maximum time between two chunks of a response body, in ms: a dead connection does not use up the deadline. */
const STALL_TIMEOUT_MS = 4_000;

/** A request with a JSON body. */
interface TransportRequest {
  readonly path: string;
  /** Alternates between names and values, like `rawHeaders`. */
  readonly headers: readonly string[];
  readonly body: string;
  /** The signal does not abort a commit that may have arrived: its outcome would be unknown. */
  readonly isCommit?: boolean;
}

/**
 * Sends a request and returns the complete response. Rejects with a transient error if the connection fails or a timeout
 * expires; `wasNotSent` of the error is true if the server cannot have received the request.
 */
type Transport = (request: TransportRequest, limits: CallLimits) => Promise<TransportResponse>;

/** A response whose body arrived completely. */
export interface TransportResponse {
  readonly status: number;
  readonly text: string;
  /** The size of the body. */
  readonly bytes: number;
}

/**
 * Creates a transport. `node:https` takes less than half the CPU time of `fetch`. Proxy settings of the environment apply
 * as they do to Node's own requests.
 */
export function createTransport(host: string, { useTls }: { readonly useTls: boolean }): Transport {
  const agentOptions = {
    keepAlive: true,
    timeout: IDLE_TIMEOUT_MS,
    ...(process.env.NODE_USE_ENV_PROXY === '1' && { proxyEnv: process.env }),
  };
  const agent = useTls ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  const request = useTls ? httpsRequest : httpRequest;
  const url = new URL(`${useTls ? 'https' : 'http'}://${host}`);
  // For an IPv6 address, this removes the brackets, as `request` expects.
  const { hostname, port } = urlToHttpOptions(url);

  return async ({ path, headers, body, isCommit = false }, limits) => {
    // The deadline may have passed while the call waited for the token.
    if (limits.signal.aborted) throw notSentError(limits.signal.reason);
    const clientRequest = request({
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
    clientRequest.end(body);
    return receiveResponse(clientRequest, { isCommit }, limits);
  };
}

/** Waits for the headers of the response, then reads its body. Each phase has its own timeout. */
async function receiveResponse(
  request: ClientRequest,
  { isCommit }: { readonly isCommit: boolean },
  { signal, remainingMs, maxBytes = Infinity }: CallLimits,
): Promise<TransportResponse> {
  const started = Promise.withResolvers<IncomingMessage>();
  request.once('response', started.resolve);
  // The request may still emit an error after the response has started, so this listener stays. The
  // agent retains the first request of a connection, with its listeners, for as long as the
  // connection is open: this listener must not capture anything else.
  request.on('error', started.reject);
  const delivery = trackDelivery(request);
  const canAbort = () => !(isCommit && delivery.mayHaveArrived);

  try {
    const response = await guard({
      timeoutMs: Math.min(FIRST_BYTE_TIMEOUT_MS, FIRST_BYTE_TIME_SHARE * remainingMs),
      signal,
      canAbort,
      stop: (cause) => {
        // A destroyed request reports its error only once it has a socket.
        started.reject(cause);
        request.destroy(cause);
      },
      run: () => started.promise,
    });
    return await guard({
      timeoutMs: STALL_TIMEOUT_MS,
      signal,
      canAbort,
      stop: (cause) => {
        response.destroy(cause);
      },
      run: (restartTimer) => readBody(response, maxBytes, restartTimer),
    });
  } catch (cause) {
    if (cause instanceof FirestoreError) throw cause;
    throw delivery.mayHaveArrived
      ? incompleteResponseError('The connection failed.', cause)
      : notSentError(cause);
  }
}

/** A phase of a call. */
interface Phase<Result> {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Returns whether the signal may stop the phase. */
  readonly canAbort: () => boolean;
  /** Makes the phase reject with this error. */
  readonly stop: (cause: Error) => void;
  /** Runs the phase. It may restart the timer when it makes progress. */
  readonly run: (restartTimer: () => void) => Promise<Result>;
}

/**
 * Runs a phase, and stops it when its timer expires or the signal aborts. A timer and a listener
 * take far less CPU time than the request's options `timeout` and `signal`.
 */
async function guard<Result>({
  timeoutMs,
  signal,
  canAbort,
  stop,
  run,
}: Phase<Result>): Promise<Result> {
  const timer = setTimeout(() => {
    stop(new Error(`The response stalled for ${Math.round(timeoutMs)} ms.`));
  }, timeoutMs);
  const onAbort = () => {
    if (canAbort()) stop(signal.reason as Error);
  };
  signal.addEventListener('abort', onAbort);
  // The signal may have aborted between two phases.
  if (signal.aborted) onAbort();
  try {
    return await run(() => timer.refresh());
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Reads the body of a response; rejects if it exceeds `maxBytes`. */
async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  onChunk: () => void,
): Promise<TransportResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    onChunk();
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new FirestoreError('RESPONSE_TOO_LARGE', `More than ${maxBytes} bytes.`);
    }
  }
  // Decode all chunks together: a chunk may end within a character.
  const text = Buffer.concat(chunks).toString();
  return { status: response.statusCode ?? 0, text, bytes };
}

/**
 * Tracks whether the server may have received any part of a request: true once its socket is
 * connected.
 */
function trackDelivery(request: ClientRequest): { readonly mayHaveArrived: boolean } {
  const delivery = { mayHaveArrived: false };
  const onConnected = () => {
    delivery.mayHaveArrived = true;
  };
  request.once('socket', (socket: Socket & { readonly secureConnecting?: boolean }) => {
    if (!socket.connecting && socket.secureConnecting !== true) onConnected();
    else {
      const event = socket.secureConnecting === undefined ? 'connect' : 'secureConnect';
      socket.once(event, onConnected);
    }
  });
  return delivery;
}
