import http, { createServer, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { close, listen, LOOPBACK } from '../../dev/ports.ts';

/** The server, path and additional headers of a forwarded request. */
interface Target {
  /** `https://firestore.googleapis.com` */
  readonly origin: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Starts a local server that forwards each request, unchanged but for its target, to another server. Test helpers for
 * emulators, which use plain HTTP on this machine, can then call Google.
 */
export async function startForwarder(chooseTarget: (path: string) => Promise<Target>) {
  const server = createServer((request, response) => {
    async function forward(): Promise<void> {
      const forwarded = await send(request, await chooseTarget(request.url ?? '/'));
      response.writeHead(forwarded.statusCode ?? 502, forwarded.headers);
      forwarded.pipe(response);
    }
    forward().catch((error: unknown) => {
      console.error(`${request.method} ${request.url}: ${String(error)}`);
      response.destroy();
    });
  });
  const host = `${LOOPBACK}:${await listen(server)}`;
  return { host, stop: () => close(server) };
}

/** Sends a request with its body to another server, and returns the response. */
function send(
  request: IncomingMessage,
  { origin, path, headers }: Target,
): Promise<IncomingMessage> {
  const { protocol, hostname, port, host } = new URL(origin);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const client = protocol === 'https:' ? https : http;
  const forwarded = client.request(
    {
      hostname,
      port,
      path,
      method: request.method,
      headers: { ...request.headers, ...headers, host },
    },
    resolve,
  );
  forwarded.on('error', reject);
  request.pipe(forwarded);
  return promise;
}
