import type { ClientRequest } from 'node:http';
import { Agent } from 'node:https';

/** How long a request may take, in ms: as long as the first byte of a response of Firestore. */
const LIMIT_MS = 5_000;

/** Node calls this method for each request of an agent; its types lack it. */
interface RequestQueue {
  addRequest(request: ClientRequest, ...options: unknown[]): void;
}

/**
 * Creates an agent that ends requests after 5 s, and otherwise does what Node's global agent does, which has the same
 * timeout for idle connections. The Admin SDK waits without a limit for the keys of ID tokens: while the key server hangs,
 * every forged token would take a socket for good. (An agent's `timeout` closes idle connections only.)
 */
export function limitedAgent(): Agent {
  const agent = new Agent({
    keepAlive: true,
    scheduling: 'lifo',
    timeout: LIMIT_MS,
    ...(process.env.NODE_USE_ENV_PROXY === '1' && { proxyEnv: process.env }),
  });
  const queue = agent as Agent & RequestQueue;
  const addRequest = queue.addRequest.bind(agent);
  queue.addRequest = (request, ...options) => {
    // Without a code: after ECONNRESET and ETIMEDOUT the SDK would try again.
    const end = () => request.destroy(new Error(`No response within ${LIMIT_MS} ms.`));
    const limit = setTimeout(end, LIMIT_MS);
    request.once('close', () => {
      clearTimeout(limit);
    });
    addRequest(request, ...options);
  };
  return agent;
}
