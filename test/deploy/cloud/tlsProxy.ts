import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { generate } from 'selfsigned';
import { LOOPBACK } from '../../emulator/ports.ts';
import { joinSockets } from '../../support/joinSockets.ts';

/** A local proxy that impersonates internet hosts. */
export interface TlsProxy {
  /** The address of the proxy, for `HTTPS_PROXY`. */
  readonly address: string;
  /** The certificate to trust, in PEM. */
  readonly certificate: string;
  stop(): Promise<void>;
}

/**
 * Starts a CONNECT proxy that terminates TLS itself: it passes every connection, to any host, to `listener`, which can
 * tell hosts apart by the `Host` header. The certificate covers `hosts`, wildcards allowed. No connection leaves this
 * machine.
 */
export async function startTlsProxy(
  hosts: readonly string[],
  listener: RequestListener,
): Promise<TlsProxy> {
  const { private: key, cert } = await generate(
    [{ name: 'commonName', value: 'Simulation of Google Cloud' }],
    {
      algorithm: 'sha256',
      extensions: [
        { name: 'basicConstraints', cA: true },
        { name: 'subjectAltName', altNames: hosts.map((value) => ({ type: 2, value })) },
      ],
    },
  );
  const tls = createTlsServer({ key, cert }, listener);
  const tlsPort = await listen(tls);

  const proxy = createServer((_request, response) => response.writeHead(501).end());
  const sockets = new Set<Socket>();
  proxy.on('connect', (_request: IncomingMessage, socket: Socket) => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    joinSockets(socket, connect(tlsPort, LOOPBACK), sockets);
  });
  const proxyPort = await listen(proxy);

  return {
    address: `http://${LOOPBACK}:${proxyPort}`,
    certificate: cert,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all([close(tls), close(proxy)]);
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  return (server.address() as AddressInfo).port;
}

async function close(server: Server & { closeAllConnections(): void }): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}
