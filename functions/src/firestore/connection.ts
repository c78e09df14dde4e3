import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { incomplete } from './errors.ts';

/** How long an idle connection stays open, in ms: Google's front end closes it after 4 minutes. */
const IDLE_MS = 230_000;
/** How long a response may stall, in ms, so that a dead connection does not use up the whole deadline. */
const SILENCE_MS = 4_000;

/** A response whose body arrived completely. */
export interface RawResponse {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends a JSON body to a path; rejects with a transient error if no complete response arrives. The headers are names and
 * values in turn, as in `rawHeaders`.
 */
export type Connection = (
  path: string,
  headers: readonly string[],
  body: string,
  signal: AbortSignal,
) => Promise<RawResponse>;

/**
 * Keep-alive connections to Firestore. `node:https` takes less than half the CPU time of `fetch`. Proxy settings of the
 * environment apply as they do to Node's own requests.
 */
export function connection(host: string, secure: boolean): Connection {
  const options = {
    keepAlive: true,
    timeout: IDLE_MS,
    ...(process.env.NODE_USE_ENV_PROXY === '1' && { proxyEnv: process.env }),
  };
  const agent = secure ? new HttpsAgent(options) : new HttpAgent(options);
  const request = secure ? httpsRequest : httpRequest;
  const { hostname, port, host: authority } = new URL(`${secure ? 'https' : 'http'}://${host}`);

  return (path, headers, body, signal) =>
    new Promise((resolve, reject) => {
      const target: RequestOptions = {
        method: 'POST',
        ...{ hostname, port, path, agent },
        // An array takes less CPU time than an object. Node does not add the host to it.
        headers: [
          ...['Host', authority, 'Content-Type', 'application/json'],
          ...['Content-Length', String(Buffer.byteLength(body)), ...headers],
        ],
      };
      const sent = request(target, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          silence.refresh();
          text += chunk;
        });
        response.on('error', fail);
        response.on('end', () => {
          settle();
          resolve({ status: response.statusCode ?? 0, text });
        });
      });
      // A timer and a listener of our own take far less CPU time than the request's options `timeout` and `signal`.
      const silence = setTimeout(() => {
        sent.destroy(new Error(`No data for ${SILENCE_MS} ms.`));
      }, SILENCE_MS);
      const abort = () => {
        sent.destroy(signal.reason as Error);
      };
      const settle = () => {
        clearTimeout(silence);
        signal.removeEventListener('abort', abort);
      };
      const fail = (cause: unknown) => {
        settle();
        reject(incomplete('The connection failed.', cause));
      };
      signal.addEventListener('abort', abort);
      sent.on('error', fail);
      sent.end(body);
    });
}
