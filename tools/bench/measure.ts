import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { serveDeployed } from '../../dev/functionProcess.ts';
import type { Simulation } from './recordedGoogle.ts';

type Sent = ReturnType<Simulation['requestTo']>;

/** The measurements of each program, in ms, in the order of the rounds. */
export type Times = readonly (readonly number[])[];

const CALLERS = 10;
const ROUNDS = 9;
const WARM_UP_MS = 1500;
const SLICE_MS = 400;

/** The processor time of a request in a warm process, of all threads. Programs are asked in turn, in each round. */
export async function measureWarm(
  google: Simulation,
  sent: Sent,
  folders: readonly string[],
): Promise<Times> {
  const bodies: unknown[] = [];
  const served = [];
  for (const folder of folders) {
    await google.restore();
    const program = await serveDeployed(sent.functionId, google.environment, folder);
    bodies.push(await send(sent, program.origin));
    served.push({ ...program, times: [] as number[] });
  }
  requireSame(bodies);
  const average = async ({ pid, origin }: { pid: number; origin: string }, ms: number) => {
    const before = await processorTimeOf(pid);
    const requests = await load(() => send(sent, origin), ms);
    return ((await processorTimeOf(pid)) - before) / requests;
  };
  for (const program of served) await average(program, WARM_UP_MS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const program of served) program.times.push(await average(program, SLICE_MS));
  }
  for (const { stop } of served) await stop();
  return served.map(({ times }) => times);
}

/** The time from the start of a process to its first complete response. */
export async function measureCold(
  google: Simulation,
  sent: Sent,
  folders: readonly string[],
  rounds: number,
): Promise<Times> {
  await google.restore();
  const times = folders.map(() => [] as number[]);
  for (let round = 0; round <= rounds; round += 1) {
    const bodies: unknown[] = [];
    for (const [index, folder] of folders.entries()) {
      const began = performance.now();
      const { origin, stop } = await serveDeployed(sent.functionId, google.environment, folder);
      bodies.push(await send(sent, origin));
      times[index]?.push(performance.now() - began);
      await stop();
    }
    requireSame(bodies);
  }
  // The first start of each is not counted: its files and the simulation's responses are not cached yet.
  return times.map((each) => each.slice(1));
}

/** Sends a request to a program; returns the body of its response. */
async function send({ functionId, path, ...init }: Sent, origin: string): Promise<unknown> {
  // Like browsers and apps, fetch accepts gzip.
  const response = await fetch(`${origin}${path}`, init);
  if (response.ok) return response.json();
  throw new Error(`${functionId}: ${response.status} ${await response.text()}`);
}

/** Calls again and again for some ms, ten at a time; returns how often. */
async function load(call: () => Promise<unknown>, ms: number): Promise<number> {
  const end = performance.now() + ms;
  let count = 0;
  const caller = async () => {
    for (; performance.now() < end; count += 1) await call();
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return count;
}

/** Throws if the service and the SDK do not respond the same. */
function requireSame([ours, theirs]: readonly unknown[]): void {
  if (isDeepStrictEqual(ours, theirs)) return;
  const seen = [ours, theirs].map((body) => JSON.stringify(body).slice(0, 2000));
  throw new Error(`The programs differ: ${seen.join('\n')}`);
}

/** The processor time of a process so far, in ms. Linux counts it in hundredths of a second. */
async function processorTimeOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ');
  return 10 * (Number(fields[13]) + Number(fields[14]));
}
