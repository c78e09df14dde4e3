import type { Reply } from './delivery.ts';

/** Sends a request to the Firestore emulator at `host:port` with administrator rights. */
export async function passOn(address: string, path: string, body: string): Promise<Reply> {
  const response = await fetch(`http://${address}${path}`, {
    method: 'POST',
    headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
    body,
  });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}
