import type { ClientRequest } from 'node:http';
import { Agent } from 'node:https';

/** Timeout of a request, in ms. The first byte of a Firestore response has the same timeout. */
const REQUEST_TIMEOUT_MS = 5_000;

/** Node calls this method for each request of an agent; its types lack it. */
interface AgentInternals {
  addRequest(request: ClientRequest, ...options: unknown[]): void;
}

/**
 * Creates an agent that destroys a request after 5 s, and otherwise behaves like Node's global
 * agent. The Admin SDK has no timeout for fetching the keys of ID tokens: while the key server
 * hangs, every forged token would hold a socket forever. The agent's own `timeout` option only
 * closes idle connections.
 */
export function createTimeoutAgent(): Agent {
  const agent = new Agent({
    keepAlive: true,
    scheduling: 'lifo',
    timeout: REQUEST_TIMEOUT_MS,
    ...(process.env.NODE_USE_ENV_PROXY === '1' && { proxyEnv: process.env }),
  });
  const internals = agent as Agent & AgentInternals;
  const addRequest = internals.addRequest.bind(agent);
  internals.addRequest = (request, ...options) => {
    // The error has no code: the SDK would retry after ECONNRESET and ETIMEDOUT.
    const onTimeout = () =>
      request.destroy(new Error(`No response within ${REQUEST_TIMEOUT_MS} ms.`));
    const timer = setTimeout(onTimeout, REQUEST_TIMEOUT_MS);
    request.once('close', () => {
      clearTimeout(timer);
    });
    addRequest(request, ...options);
  };
  return agent;
}
