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
  const answer = await withCallLimit(
    name,
    (limit) =>
      new Promise<RawResponse>((resolve, reject) => {
        const target = { hostname, port, path, method, headers, agent: false, signal: limit };
        const sent = request(target, (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
          });
        });
        sent.on('error', reject);
        sent.end(body);
      }),
  );
  requireStarted(name, (header) => answer.headers[header], answer.text);
  return answer;
}
