import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { close, listen, LOOPBACK } from '../../../dev/ports.ts';

/** The time after which idle connections are closed, in ms: the same as at Google's front end. */
const KEEP_ALIVE_MS = 240_000;

/**
 * Starts a CONNECT proxy that terminates TLS itself, and passes the requests of every connection to `listener`. The
 * `Host` header tells the hosts apart. The certificate covers `hosts`, which may contain wildcards. No connection leaves
 * this machine. The proxy rejects a host unless `accepts` returns true.
 */
export async function startTlsProxy(
  hosts: readonly string[],
  listener: RequestListener,
  accepts: (host: string) => boolean = () => true,
) {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'Fake Google' }], {
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: hosts.map((value) => ({ type: 2, value })) },
    ],
  });
  const tls = createTlsServer({ key, cert, keepAliveTimeout: KEEP_ALIVE_MS }, listener);
  const proxy = createServer((_request, response) => response.writeHead(502).end());
  /** The sockets of tunnels. The servers do not close them: neither server treats them as HTTP connections. */
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
    /** The environment variables that send all requests of a process through the proxy, and make it trusted. */
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
