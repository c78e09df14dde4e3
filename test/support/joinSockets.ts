import type { Socket } from 'node:net';

/** Forwards everything between two sockets, and closes both when one closes; they are in `open` until then. */
export function joinSockets(near: Socket, far: Socket, open: Set<Socket>): void {
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
