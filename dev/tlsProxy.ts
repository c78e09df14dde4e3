import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { close, listen, LOOPBACK } from './ports.ts';

/** How long Google's front end leaves an idle connection open. */
const KEEP_ALIVE_MS = 240_000;

/**
 * Starts a CONNECT proxy that terminates TLS itself: it passes every connection to `listener`, which can tell hosts apart
 * by the `Host` header. The certificate covers `hosts`, wildcards allowed. No connection leaves this machine. Hosts that
 * `accepts` does not accept cannot be reached.
 */
export async function startTlsProxy(
  hosts: readonly string[],
  listener: RequestListener,
  accepts: (host: string) => boolean = () => true,
) {
  const { private: key, cert } = await generate(
    [{ name: 'commonName', value: 'Simulation of Google' }],
    {
      algorithm: 'sha256',
      extensions: [
        { name: 'basicConstraints', cA: true },
        { name: 'subjectAltName', altNames: hosts.map((value) => ({ type: 2, value })) },
      ],
    },
  );
  const tls = createTlsServer({ key, cert, keepAliveTimeout: KEEP_ALIVE_MS }, listener);
  const proxy = createServer((_request, response) => response.writeHead(502).end());
  /** The servers do not close these: to the proxy they are no longer HTTP, to the other not before TLS has begun. */
  const tunnels = new Set<Socket>();
  proxy.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const [host = ''] = (request.url ?? '').split(':');
    if (!accepts(host)) return socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    tunnels.add(socket);
    socket.on('close', () => tunnels.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setNoDelay(true);
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    return tls.emit('connection', socket);
  });
  const address = `http://${LOOPBACK}:${await listen(proxy)}`;
  const folder = await mkdtemp(join(tmpdir(), 'tls-proxy-'));
  const certificateFile = join(folder, 'certificate.pem');
  await writeFile(certificateFile, cert);

  return {
    /** Sends all requests of a process through the proxy, and makes it trusted. */
    environment: {
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: address,
      HTTP_PROXY: address,
      NO_PROXY: `${LOOPBACK},localhost`,
      NODE_EXTRA_CA_CERTS: certificateFile,
    },
    stop: async () => {
      const closed = Promise.all([close(proxy), close(tls)]);
      for (const socket of tunnels) socket.destroy();
      await closed;
      await rm(folder, { recursive: true });
    },
  };
}
