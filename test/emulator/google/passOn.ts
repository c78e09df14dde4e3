import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Reply } from './answer.ts';

/** Forwards requests to a Firestore emulator with administrator rights. */
export interface PassOn {
  post(path: string, body: string): Promise<Reply>;
  close(): void;
}

/** Forwards requests to `host:port` over keep-alive connections. */
export function passOnTo(address: string): PassOn {
  const agent = new Agent({ keepAlive: true });
  const [host = '', port = ''] = address.split(':');
  return {
    post: async (path, body) =>
      new Promise((resolve, reject) => {
        const passed = request(
          {
            agent,
            host,
            port,
            method: 'POST',
            path,
            headers: {
              authorization: 'Bearer owner',
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(body),
            },
          },
          (response) => {
            buffer(response).then((reply) => {
              resolve({ status: response.statusCode ?? 500, body: reply });
            }, reject);
          },
        );
        passed.once('error', reject);
        passed.end(body);
      }),
    close: () => {
      agent.destroy();
    },
  };
}
