import { randomInt } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';

/** The address that all local servers listen on. */
export const LOOPBACK = '127.0.0.1';

/** Above the ports of common services, and below those of outgoing connections on every system. */
const [LOWEST, HIGHEST] = [16_384, 32_768];

/** The ports of a local stack. */
export interface StackPorts {
  readonly firestore: number;
  readonly auth: number;
  readonly functions: number;
  readonly hosting: number;
}

/** Firebase's default ports, which `npm start` uses. */
export const DEFAULT_PORTS: StackPorts = {
  firestore: 8080,
  auth: 9099,
  functions: 5001,
  hosting: 5000,
};

/** The default ports plus an offset. */
export function portsAt(offset: number): StackPorts {
  const { firestore, auth, functions, hosting } = DEFAULT_PORTS;
  return {
    firestore: firestore + offset,
    auth: auth + offset,
    functions: functions + offset,
    hosting: hosting + offset,
  };
}

/** Free ports, so that tests can run next to a running service. */
export async function freePorts(): Promise<StackPorts> {
  const [firestore, auth, functions, hosting] = await freePortList(4);
  return { firestore, auth, functions, hosting } as StackPorts;
}

/**
 * Different ports that were free a moment ago, below those that systems give to outgoing connections: one of these would
 * take a port away again before a server listens there.
 */
export async function freePortList(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

/** Throws if ports are in use; the message names all of them. */
export async function requireFree(ports: Readonly<Record<string, number>>): Promise<void> {
  const taken: string[] = [];
  for (const [name, port] of Object.entries(ports)) {
    if (!(await isFree(port))) taken.push(`${port} (${name})`);
  }
  if (taken.length > 0) {
    const which = taken.length === 1 ? `Port ${taken.join()} is` : `Ports ${taken.join(', ')} are`;
    throw new Error(
      `${which} taken by another program: stop it, or start on other ports (npm start -- --port-offset 100).`,
    );
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => {
      resolve(false);
    });
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}

/** Whether something accepts connections there. */
export async function connectsTo(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}

/** Listens on a local port, by default a free one, and returns it. */
export async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Stops a server, without waiting for its connections. */
export function close(server: HttpServer): void {
  server.close();
  server.closeAllConnections();
}
