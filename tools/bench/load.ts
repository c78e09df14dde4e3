/** The process that sends requests. */
import { Agent, request } from 'node:http';
import { LOOPBACK } from '../../dev/ports.ts';
import type { ExampleRequest } from '../../dev/shared/exampleRequests.ts';

/** What to send, and for how long. */
export interface LoadRequest {
  readonly port: number;
  readonly example: ExampleRequest;
  /** Each of them sends its next request when its last one has a response: a closed loop. */
  readonly callers: number;
  readonly ms: number;
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

process.on('message', (load: LoadRequest) => {
  void run(load).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit());

async function run(load: LoadRequest): Promise<LoadResult> {
  const { example, callers, port, ms } = load;
  const agent = new Agent({ keepAlive: true });
  const latencies: number[] = [];
  let sent = 0;
  let failed = 0;
  const began = performance.now();
  async function call(): Promise<void> {
    while (performance.now() - began < ms) {
      sent += 1;
      const sentAt = performance.now();
      if ((await statusOf(agent, port, example)) !== 200) failed += 1;
      latencies.push(performance.now() - sentAt);
    }
  }
  await Promise.all(Array.from({ length: callers }, call));
  const perSecond = (sent / (performance.now() - began)) * 1000;
  agent.destroy();
  const sorted = Float64Array.from(latencies).sort();
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? NaN;
  return { requests: sent, failed, perSecond, p50: at(0.5), p99: at(0.99) };
}

/** The status of the response, once it is complete; undefined without one. */
async function statusOf(
  agent: Agent,
  port: number,
  { method, path, headers, body }: ExampleRequest,
): Promise<number | undefined> {
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  return new Promise((resolve) => {
    const options = { agent, host: LOOPBACK, port, method, path };
    const sent = request({ ...options, headers: { ...headers, ...length } }, (response) => {
      response.resume();
      response.once('end', () => {
        resolve(response.statusCode);
      });
      response.once('error', () => {
        resolve(undefined);
      });
    });
    sent.once('error', () => {
      resolve(undefined);
    });
    sent.end(body);
  });
}
