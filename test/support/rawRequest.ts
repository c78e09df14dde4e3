import { request, type IncomingHttpHeaders } from 'node:http';
import { requireStarted, withCallLimit } from './callLimit.ts';

/** An unparsed HTTP response. */
export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Sends a request without normalization: unlike `fetch` it does not resolve `..` in the path, and sends any method with
 * or without a body.
 */
export async function rawRequest(
  origin: string,
  path: string,
  options: {
    method?: string;
    headers?: Readonly<Record<string, string>>;
    body?: string | Uint8Array;
  } = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(origin);
  const { method = 'GET', body } = options;
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const headers = { ...length, ...options.headers };
  const name = `${method} ${origin}${path}`;
  const response = await withCallLimit(
    name,
    (limit) =>
      new Promise<RawResponse>((resolve, reject) => {
        const target = { hostname, port, path, method, headers, agent: false, signal: limit };
        const sent = request(target, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
          });
        });
        sent.on('error', reject);
        sent.end(body);
      }),
  );
  requireStarted(name, (header) => response.headers[header], response.text);
  return response;
}
