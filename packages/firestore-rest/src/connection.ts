import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Limits } from './client.ts';
import { incomplete, notSent } from './errors.ts';

/** How long an idle connection stays open, in ms: Google's front end closes it after 4 minutes. */
const IDLE_MS = 230_000;
/** How long the first byte of a response may take, in ms. */
const FIRST_BYTE_MS = 5_000;
/** The share of the time until the deadline that it may take at most: the rest is for another attempt. */
const SHARE_OF_TIME = 0.6;
/** How long a response may stall once it has begun, in ms, so that a dead connection does not use up the deadline. */
const SILENCE_MS = 4_000;

/** A response whose body arrived completely. */
export interface RawResponse {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends a JSON body to a path; rejects with a transient error if no complete response arrives in time. The error says
 * whether the server may have received the call. The headers are names and values in turn, as in `rawHeaders`.
 */
export type Connection = (
  path: string,
  headers: readonly string[],
  body: string,
  limits: Limits,
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
  const { hostname, port, host: authority } = new URL(`${isSecure ? 'https' : 'http'}://${host}`);

  return (path, headers, body, { signal, msLeft }) =>
    new Promise((resolve, reject) => {
      let mayHaveArrived = false;
      const target: RequestOptions = {
        method: 'POST',
        hostname,
        port,
        path,
        agent,
        // An array takes less CPU time than an object. Node does not add the host to it.
        headers: [
          'Host',
          authority,
          'Content-Type',
          'application/json',
          'Content-Length',
          String(Buffer.byteLength(body)),
          ...headers,
        ],
      };
      const sent = request(target, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          clearTimeout(limit);
          limit = stopAfter(SILENCE_MS);
          text += chunk;
        });
        response.on('error', fail);
        response.on('end', () => {
          settle();
          resolve({ status: response.statusCode ?? 0, text });
        });
      });
      // Timers and a listener of our own take far less CPU time than the request's options `timeout` and `signal`.
      const stopAfter = (ms: number) =>
        setTimeout(() => {
          sent.destroy(new Error(`No data for ${Math.round(ms)} ms.`));
        }, ms);
      let limit = stopAfter(Math.min(FIRST_BYTE_MS, SHARE_OF_TIME * msLeft));
      const abort = () => {
        sent.destroy(signal.reason as Error);
      };
      const settle = () => {
        clearTimeout(limit);
        signal.removeEventListener('abort', abort);
      };
      const fail = (cause: unknown) => {
        settle();
        reject(mayHaveArrived ? incomplete('The connection failed.', cause) : notSent(cause));
      };
      signal.addEventListener('abort', abort);
      sent.on('error', fail);
      sent.on('socket', (socket: Socket & { readonly secureConnecting?: boolean }) => {
        const connected = () => {
          mayHaveArrived = true;
        };
        if (!socket.connecting && socket.secureConnecting !== true) connected();
        else socket.once(isSecure ? 'secureConnect' : 'connect', connected);
      });
      sent.end(body);
    });
}
