/** Sends requests to a program, one or many. */
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { LOOPBACK } from '../../dev/ports.ts';
import type { ExampleRequest } from '../../demo/exampleRequests.ts';

/** A complete response. */
export interface Response {
  readonly status: number;
  readonly bytes: Buffer;
}

/** Sends a request to a port, by default on a new connection; undefined without a complete response. */
export async function ask(port: number, example: ExampleRequest): Promise<Response | undefined> {
  return read(await open(port, example));
}

/** Sends a request; returns its response when it begins, undefined if none does. */
async function open(
  port: number,
  { path, body, method, headers }: ExampleRequest,
  agent?: Agent,
): Promise<IncomingMessage | undefined> {
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const options = { host: LOOPBACK, port, path, method, agent: agent ?? false };
  const sent = request({ ...options, headers: { ...headers, ...length } });
  sent.on('error', () => undefined).end(body);
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  } catch {
    return undefined;
  }
}

async function read(response: IncomingMessage | undefined): Promise<Response | undefined> {
  const bytes = response && (await buffer(response).catch(() => undefined));
  return bytes && { status: response.statusCode ?? 0, bytes };
}

/** The measurements; times in ms. */
export interface LoadResult {
  readonly requests: number;
  /** Responses other than 200, and requests without one. */
  readonly failed: number;
  readonly perSecond: number;
  readonly p50: number;
}

/**
 * Sends a request for some ms, and at least once; each caller sends its next one when its last one has a response: a closed
 * loop. A caller without a response stops. With a pause, in ms, nobody reads until the last response has begun so long ago.
 */
export async function load(
  { port, example }: { readonly port: number; readonly example: ExampleRequest },
  callers: number,
  ms: number,
  pauseMs = 0,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true });
  const latencies: number[] = [];
  const opened: Promise<unknown>[] = [];
  let paused: Promise<unknown> | undefined;
  let failed = 0;
  const began = performance.now();
  async function call(): Promise<void> {
    let response: Response | undefined;
    do {
      const sentAt = performance.now();
      const begun = open(port, example, agent);
      if (pauseMs > 0) {
        opened.push(begun);
        await begun;
        await (paused ??= Promise.all(opened).then(() => delay(pauseMs)));
      }
      response = await read(await begun);
      if (response?.status !== 200) failed += 1;
      latencies.push(performance.now() - sentAt);
    } while (response !== undefined && performance.now() - began < ms);
  }
  await Promise.all(Array.from({ length: callers }, call));
  const requests = latencies.length;
  const perSecond = (requests / (performance.now() - began)) * 1000;
  agent.destroy();
  const sorted = Float64Array.from(latencies).sort();
  const p50 = sorted[Math.floor((requests - 1) / 2)] ?? NaN;
  return { requests, failed, perSecond, p50 };
}
