import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { LOOPBACK } from '../emulator/ports.ts';

/** A wire to a server, that can be cut. */
export interface Wire {
  /** `host:port` */
  readonly address: string;
  /** Ends every connection, and refuses new ones. */
  cut(): Promise<void>;
  /** Lets connections be made again, at the same port. */
  mend(): Promise<void>;
  /** Keeps every connection, and lets nothing through. */
  stall(): void;
  /** Lets what was held through, and all that comes. */
  flow(): void;
}

/** Lays a wire to `host:port`. */
export async function layWire(target: string): Promise<Wire> {
  const [host = '', port = ''] = target.split(':');
  const sockets = new Set<Socket>();
  const accept = (near: Socket) => {
    const far = connect({ port: Number(port), host, noDelay: true });
    near.pipe(far).pipe(near);
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(end);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        sockets.delete(end);
        other.destroy();
      });
    }
  };
  let server: Server = createServer({ noDelay: true }, accept);
  const listen = async (at: number) =>
    new Promise<void>((resolve) => server.listen(at, LOOPBACK, resolve));
  await listen(0);
  const { port: own } = server.address() as AddressInfo;
  return {
    address: `${LOOPBACK}:${own}`,
    cut: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    mend: async () => {
      server = createServer({ noDelay: true }, accept);
      await listen(own);
    },
    stall: () => {
      for (const socket of sockets) socket.pause();
    },
    flow: () => {
      for (const socket of sockets) socket.resume();
    },
  };
}
