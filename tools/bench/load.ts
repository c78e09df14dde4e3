/** The process that sends requests. */
import { Agent } from 'node:http';
import type { ExampleRequest } from '../../dev/shared/exampleRequests.ts';
import { ask } from './ask.ts';

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

async function run({ example, callers, port, ms }: LoadRequest): Promise<LoadResult> {
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
