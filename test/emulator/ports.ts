import { connect, createServer } from 'node:net';

/** The address that all local servers listen on. */
export const LOOPBACK = '127.0.0.1';

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

/** Different ports that were free a moment ago. */
export async function freePortList(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(servers.map((server) => listen(server, 0)));
  await Promise.all(servers.map(close));
  return ports;
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
  try {
    await listen(server, port);
    await close(server);
    return true;
  } catch {
    return false;
  }
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function close(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
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
