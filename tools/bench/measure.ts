import { readdir, readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { exampleRequest } from '../../demo/exampleRequests.ts';
import { LOOPBACK } from '../../dev/ports.ts';
import { start, type Program } from './programs.ts';
import { WORLD, type Simulation } from './simulation.ts';

/** A measured request: its function, and how it differs from the example. */
export interface Measured {
  readonly functionId: string;
  /** The number of documents in a list of ids. */
  readonly size?: number;
  readonly query?: Readonly<Record<string, string>>;
}

/** The figures of the service, the SDK and the bare framework, and the first to the second. */
export type Row = readonly [service: string, sdk: string, bare: string, ratio: string];

/** Sends a request of Alice once; returns its body. */
type Send = (port: number) => Promise<unknown>;

const CALLERS = 10;
const WARM_UP_MS = 1500;
const SLICE_MS = 400;

/** The processor time of a request in a warm process, of all threads. Programs are asked in turn, in each round. */
export async function measureWarm(
  google: Simulation,
  measured: Measured,
  programs: readonly Program[],
  rounds: number,
): Promise<Row> {
  const send = senderOf(google, measured);
  const bodies: unknown[] = [];
  const served = [];
  for (const program of programs) {
    await google.restore();
    const one = await start(google, program, measured.functionId);
    served.push({ ...one, times: [] as number[] });
    bodies.push(await send(one.port));
  }
  expectEqual(measured, bodies);
  const average = async (pid: number, port: number, ms: number) => {
    const before = await processorTimeOf(pid);
    const requests = await load(() => send(port), ms);
    return ((await processorTimeOf(pid)) - before) / requests;
  };
  for (const { pid, port } of served) await average(pid, port, WARM_UP_MS);
  for (let round = 0; round < rounds; round += 1) {
    for (const { pid, port, times } of served) times.push(await average(pid, port, SLICE_MS));
  }
  for (const { stop } of served) await stop();
  return rowOf(
    served.map(({ times }) => times),
    2,
  );
}

/** The time from the start of a process to its first complete response. */
export async function measureCold(
  google: Simulation,
  measured: Measured,
  programs: readonly Program[],
  rounds: number,
): Promise<Row> {
  await google.restore();
  const send = senderOf(google, measured);
  const times = programs.map(() => [] as number[]);
  // The first start of each is not counted: its files and the simulation's responses are not cached yet.
  for (let round = 0; round <= rounds; round += 1) {
    const bodies: unknown[] = [];
    for (const [index, program] of programs.entries()) {
      const began = performance.now();
      const { port, stop } = await start(google, program, measured.functionId);
      bodies.push(await send(port));
      if (round > 0) times[index]?.push(performance.now() - began);
      await stop();
    }
    if (round === 0) expectEqual(measured, bodies);
  }
  return rowOf(times, 0);
}

function senderOf({ tokenOf }: Simulation, { functionId, size, query }: Measured): Send {
  const world = { ...WORLD, ...(size && { size }) };
  const { path, ...init } = exampleRequest(functionId, world, tokenOf(WORLD.uid), query);
  return async (port) => {
    // Like browsers and apps, fetch accepts gzip.
    const response = await fetch(`http://${LOOPBACK}:${port}${path}`, init);
    if (response.ok) return response.json();
    throw new Error(`${functionId}: ${response.status} ${await response.text()}`);
  };
}

/** Calls again and again for some ms, ten at a time; returns how often. */
async function load(call: () => Promise<unknown>, ms: number): Promise<number> {
  const began = performance.now();
  let count = 0;
  const caller = async () => {
    while (performance.now() - began < ms) {
      await call();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return count;
}

/** Throws if the service and the SDK do not respond the same. */
function expectEqual({ functionId }: Measured, [ours, theirs]: readonly unknown[]): void {
  if (isDeepStrictEqual(ours, theirs)) return;
  const seen = [ours, theirs].map((body) => JSON.stringify(body).slice(0, 2000));
  throw new Error(`${functionId}: the programs differ: ${seen.join('\n')}`);
}

/**
 * The processor time of all threads of a process, in ms, from the scheduler's statistics in nanoseconds
 * (https://docs.kernel.org/scheduler/sched-stats.html).
 */
async function processorTimeOf(pid: number): Promise<number> {
  const tasks = await readdir(`/proc/${pid}/task`);
  const texts = tasks.map((task) => readFile(`/proc/${pid}/task/${task}/schedstat`, 'utf8'));
  return (
    (await Promise.all(texts)).reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e6
  );
}

function rowOf([ours = [], theirs = [], bare = []]: readonly number[][], digits: number): Row {
  const ratios = ours.map((value, round) => value / (theirs[round] ?? NaN));
  return [
    figureOf(ours, digits),
    figureOf(theirs, digits),
    figureOf(bare, digits),
    figureOf(ratios),
  ];
}

/** The median, and the range of all measurements: `0.97 (0.93–1.10)`. */
function figureOf(measured: readonly number[], digits = 2): string {
  if (measured.length === 0) return '';
  const sorted = measured.toSorted((a, b) => a - b);
  const shown = (index: number) => sorted.at(index)?.toFixed(digits);
  return `${shown(sorted.length >> 1)} (${shown(0)}–${shown(-1)})`;
}
