import { request, type IncomingHttpHeaders } from 'node:http';

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
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers, agent: false }, (answer) => {
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
  });
}
