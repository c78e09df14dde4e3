import { request, type IncomingHttpHeaders } from 'node:http';
import { requireStarted, withCallLimit } from './callLimit.ts';

/** An HTTP answer as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Sends a request just as it is told to: unlike `fetch` it resolves no `..` in the path, sends any method, and
 * a body with any of them.
 */
export async function rawRequest(
  origin: string,
  path: string,
  options: {
    method?: string;
    headers?: Readonly<Record<string, string>>;
    body?: string | Uint8Array;
  } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const { method = 'GET', body } = options;
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const headers = { ...length, ...options.headers };
  const name = `${method} ${origin}${path}`;
  const answer = await withCallLimit(
    name,
    (limit) =>
      new Promise<RawAnswer>((resolve, reject) => {
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
