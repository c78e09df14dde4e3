import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { connect, type AddressInfo, type Server } from 'node:net';

/** The address that all local servers listen on. */
export const LOOPBACK = '127.0.0.1';

/** Above the ports of common services, and below those of outgoing connections on every system. */
const [LOWEST, HIGHEST] = [16_384, 32_768];

/** Firebase's default ports, which `npm start` uses. */
const DEFAULT_PORTS = { firestore: 8080, auth: 9099, functions: 5001, hosting: 5000 };

/** The ports of a local stack. */
export type StackPorts = Readonly<typeof DEFAULT_PORTS>;

/** The default ports plus an offset, as the command line has it; throws if it is invalid. */
export function portsWithOffset(offset: string): StackPorts {
  const most = 65_535 - Math.max(...Object.values(DEFAULT_PORTS));
  if (!/^\d{1,5}$/.test(offset) || Number(offset) > most) {
    throw new Error(`--port-offset must be a number from 0 to ${most}.`);
  }
  const ports = Object.entries(DEFAULT_PORTS).map(([name, port]) => [name, port + Number(offset)]);
  return Object.fromEntries(ports) as StackPorts;
}

/**
 * Different ports that were free a moment ago, below those that systems give to outgoing connections: one of these would
 * take a port away again before a server listens there.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(LOWEST, HIGHEST);
    if (!(await isListening(port))) ports.add(port);
  }
  return [...ports];
}

/** Throws if ports are in use; the message names all of them. */
export async function assertPortsFree(ports: Readonly<Record<string, number>>): Promise<void> {
  const taken: string[] = [];
  for (const [name, port] of Object.entries(ports)) {
    if (await isListening(port)) taken.push(`${port} (${name})`);
  }
  if (taken.length === 0) return;
  throw new Error(
    `Another program uses port ${taken.join(', ')}: stop it, or start on other ports (npm start -- --port-offset 100).`,
  );
}

/** Whether something accepts connections at a local port. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, LOOPBACK);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Listens on a local port, by default a free one, and returns it; rejects if it is in use. */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Stops a server and ends its connections. */
export async function close(server: HttpServer): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
