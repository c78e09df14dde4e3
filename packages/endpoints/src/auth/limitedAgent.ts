import type { ClientRequest } from 'node:http';
import { Agent } from 'node:https';

/** Timeout of a request, in ms. The same as for the first byte of a Firestore response. */
const LIMIT_MS = 5_000;

/** Node calls this method for each request of an agent; its types lack it. */
interface RequestQueue {
  addRequest(request: ClientRequest, ...options: unknown[]): void;
}

/**
 * Creates an agent that destroys a request after 5 s, and otherwise behaves like Node's global
 * agent. The Admin SDK has no timeout for fetching the keys of ID tokens: while the key server
 * hangs, every forged token would hold a socket forever. The agent's own `timeout` option only
 * closes idle connections.
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
