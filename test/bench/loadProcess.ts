/** The process that sends requests: see `load.ts`. */
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { LOOPBACK } from '../emulator/ports.ts';
import type { LoadRequest, LoadResult } from './load.ts';

/** The interval at which an open loop looks for due requests, in ms; timers are not more precise. */
const TICK_MS = 1;

process.on('message', (load: LoadRequest) => {
  run(load).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());

async function run(load: LoadRequest): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true });
  const latencies: number[] = [];
  const began = performance.now();
  const send = async () => {
    latencies.push(await latencyOf(agent, load));
  };
  const left = () => began + load.ms - performance.now();
  if (load.perSecond !== undefined) await openLoop(send, load.perSecond, began, left);
  else await Promise.all(Array.from({ length: load.callers ?? 1 }, () => closedLoop(send, left)));
  const seconds = (performance.now() - began) / 1000;
  agent.destroy();
  const sorted = Float64Array.from(latencies).sort();
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? NaN;
  const requests = sorted.length;
  return { requests, perSecond: requests / seconds, p50: at(0.5), p99: at(0.99) };
}

async function closedLoop(send: () => Promise<void>, left: () => number): Promise<void> {
  while (left() > 0) await send();
}

/** Sends requests at random times (a Poisson process), like independent callers. */
async function openLoop(
  send: () => Promise<void>,
  perSecond: number,
  began: number,
  left: () => number,
): Promise<void> {
  const sent: Promise<void>[] = [];
  let due = began;
  while (left() > 0) {
    while (due <= performance.now()) {
      sent.push(send());
      due -= (Math.log(1 - Math.random()) / perSecond) * 1000;
    }
    await delay(TICK_MS);
  }
  await Promise.all(sent);
}

/** Sends a request; returns the ms until the response is complete. */
async function latencyOf(agent: Agent, { port, example }: LoadRequest): Promise<number> {
  const { method, path, headers, body } = example;
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const options = { agent, host: LOOPBACK, port, method, path };
    const sent = request({ ...options, headers: { ...headers, ...length } }, (response) => {
      response.resume();
      response.once('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - began);
        else reject(new Error(`The response had the status ${String(response.statusCode)}.`));
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
