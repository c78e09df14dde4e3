/** Sends requests to a program, one or many. */
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { LOOPBACK } from '../../dev/ports.ts';
import type { ExampleRequest } from '../../dev/shared/exampleRequests.ts';

/** A complete response. */
export interface Response {
  readonly status: number;
  readonly bytes: Buffer;
}

/** Sends a request to a port, by default on a new connection; undefined without a complete response. */
export async function ask(
  port: number,
  { path, body, method, headers }: ExampleRequest,
  agent?: Agent,
): Promise<Response | undefined> {
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const options = { host: LOOPBACK, port, path, method, agent: agent ?? false };
  const sent = request({ ...options, headers: { ...headers, ...length } });
  sent.on('error', () => undefined).end(body);
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, bytes: await buffer(response) };
  } catch {
    return undefined;
  }
}

/** The measurements; times in ms. */
export interface LoadResult {
  readonly requests: number;
  /** Responses other than 200, and requests without one. */
  readonly failed: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Sends a request for some ms; each caller sends its next one when its last one has a response: a closed loop. */
export async function load(
  { port, example }: { readonly port: number; readonly example: ExampleRequest },
  callers: number,
  ms: number,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true });
  const latencies: number[] = [];
  let failed = 0;
  const began = performance.now();
  async function call(): Promise<void> {
    while (performance.now() - began < ms) {
      const sentAt = performance.now();
      const response = await ask(port, example, agent);
      if (response?.status !== 200) failed += 1;
      latencies.push(performance.now() - sentAt);
    }
  }
  await Promise.all(Array.from({ length: callers }, call));
  const requests = latencies.length;
  const perSecond = (requests / (performance.now() - began)) * 1000;
  agent.destroy();
  const sorted = Float64Array.from(latencies).sort();
  const at = (part: number) => sorted[Math.floor((requests - 1) * part)] ?? NaN;
  return { requests, failed, perSecond, p50: at(0.5), p99: at(0.99) };
}
