import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { connect, type AddressInfo, type Server } from 'node:net';

/** The address that all local servers listen on. */
export const LOOPBACK = '127.0.0.1';

/** The range of free ports: above the ports of common services, and below those of outgoing connections on every system. */
const MIN_FREE_PORT = 16_384;
const MAX_FREE_PORT = 32_767;

/** Firebase's default ports. `npm start` uses them. */
const DEFAULT_PORTS = { firestore: 8080, auth: 9099, functions: 5001, hosting: 5000 };

/** The ports of a local stack. */
export type StackPorts = Readonly<typeof DEFAULT_PORTS>;

/** The ports above 5000 that browsers and `fetch` block (https://fetch.spec.whatwg.org/#port-blocking). */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

const MAX_OFFSET = 65_535 - Math.max(...Object.values(DEFAULT_PORTS));

/** Returns the default ports plus the offset of the command line; throws if a port is invalid or blocked. */
export function getPortsWithOffset(option: string): StackPorts {
  const offset = Number(option);
  if (!/^\d{1,5}$/.test(option) || offset > MAX_OFFSET) {
    throw new Error(`--port-offset must be a number from 0 to ${MAX_OFFSET}.`);
  }
  const blocked = findBlockedPort(offset);
  if (blocked === undefined) return addOffset(offset);
  let next = offset + 1;
  while (findBlockedPort(next) !== undefined) next += 1;
  throw new Error(
    `--port-offset ${offset} would use port ${blocked}, which browsers block. The next offset that works is ${next}.`,
  );
}

function addOffset(offset: number): StackPorts {
  const ports = Object.entries(DEFAULT_PORTS).map(([name, port]) => [name, port + offset]);
  return Object.fromEntries(ports) as StackPorts;
}

function findBlockedPort(offset: number): number | undefined {
  return Object.values(addOffset(offset)).find((port) => BLOCKED_PORTS.has(port));
}

/** The ports that this process has tried. It does not try them again. */
const triedPorts = new Set<number>();

/**
 * Returns different ports that are free. They are below the ports of outgoing connections: such a connection could occupy
 * a port before a server listens there.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = randomInt(MIN_FREE_PORT, MAX_FREE_PORT + 1);
    // Several servers of a process may start at the same time.
    if (triedPorts.has(port)) continue;
    triedPorts.add(port);
    if (!(await isListening(port))) ports.push(port);
  }
  return ports;
}

/** Throws if any of the ports is in use. The message names all ports in use. */
export async function assertPortsFree(ports: Readonly<Record<string, number>>): Promise<void> {
  const usedPorts: string[] = [];
  for (const [name, port] of Object.entries(ports)) {
    if (await isListening(port)) usedPorts.push(`${port} (${name})`);
  }
  if (usedPorts.length === 0) return;
  throw new Error(
    `Another program uses port ${usedPorts.join(', ')}: stop it, or start on other ports (npm start -- --port-offset 100).`,
  );
}

/** Returns whether a program accepts connections at a local port. */
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

/** Starts a server on a local port, by default a free one, and returns the port. Rejects if the port is in use. */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Stops a server and closes its connections. */
export async function close(server: HttpServer): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
