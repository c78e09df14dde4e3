import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { LOOPBACK } from '../emulator/ports.ts';

/** A TCP proxy in front of a server, for tests of network failures. */
export interface TcpProxy {
  /** `host:port` */
  readonly address: string;
  /** Closes all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts connections again, at the same port. */
  mend(): Promise<void>;
  /** Leaves connections open, but forwards nothing. */
  stall(): void;
  /** Forwards everything again, starting with what was stalled. */
  flow(): void;
}

/** Starts a proxy to `host:port`. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const [host = '', port = ''] = target.split(':');
  const sockets = new Set<Socket>();
  const accept = (near: Socket) => {
    joinSockets(near, connect({ port: Number(port), host, noDelay: true }), sockets);
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

/** Forwards everything between two sockets, and closes both when one closes; they are in `open` until then. */
function joinSockets(near: Socket, far: Socket, open: Set<Socket>): void {
  near.pipe(far).pipe(near);
  for (const [end, other] of [
    [near, far],
    [far, near],
  ] as const) {
    open.add(end);
    end.on('error', () => other.destroy());
    end.on('close', () => {
      open.delete(end);
      other.destroy();
    });
  }
}
