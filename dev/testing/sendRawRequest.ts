import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

/** Only a call that never gets a response takes this long, even on a slow machine. A test may take longer (jest.config.js). */
const CALL_LIMIT_MS = 50_000;

/** An unparsed HTTP response. */
export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Sends a request to a path below an address, without normalization: unlike `fetch` it does not resolve `..` in the path,
 * and sends any method with or without a body. Throws an error that names the request if there is no response in time.
 */
export async function sendRawRequest(
  address: string,
  path: string,
  options: {
    method?: string;
    headers?: OutgoingHttpHeaders;
    body?: string | Uint8Array;
  } = {},
): Promise<RawResponse> {
  const { hostname, port, pathname } = new URL(address);
  const { method = 'GET', body } = options;
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const headers = { ...length, ...options.headers };
  const signal = AbortSignal.timeout(CALL_LIMIT_MS);
  const name = `${method} ${address}${path}`;
  const whole = `${pathname.replace(/\/$/, '')}${path}`;
  const target = { hostname, port, path: whole, method, headers, agent: false, signal };
  return new Promise<RawResponse>((resolve, reject) => {
    const sent = request(target, (response) => {
      const { statusCode = 0, headers } = response;
      text(response).then((text) => {
        resolve({ status: statusCode, headers, text });
      }, reject);
    });
    sent.on('error', reject);
    sent.end(body);
  }).catch((cause: unknown) => {
    if (!signal.aborted) throw cause;
    throw new Error(`${name} got no response in time.`, { cause });
  });
}
