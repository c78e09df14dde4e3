import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

/** Timeout of a response: longer than any takes on a slow machine, and shorter than the timeout of a test (jest.config.js). */
const RESPONSE_TIMEOUT_MS = 50_000;

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
  const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
  const name = `${method} ${address}${path}`;
  const fullPath = `${pathname.replace(/\/$/, '')}${path}`;
  const target = { hostname, port, path: fullPath, method, headers, agent: false, signal };
  return new Promise<RawResponse>((resolve, reject) => {
    const clientRequest = request(target, (response) => {
      const { statusCode = 0, headers } = response;
      text(response).then((text) => {
        resolve({ status: statusCode, headers, text });
      }, reject);
    });
    clientRequest.on('error', reject);
    clientRequest.end(body);
  }).catch((cause: unknown) => {
    if (!signal.aborted) throw cause;
    throw new Error(`${name} got no response in time.`, { cause });
  });
}
