import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { startFunctionProcess } from '../../test/support/processes/functionProcess.ts';
import type { Program } from './programs.ts';
import type { RecordedGoogle } from './recordedGoogle.ts';

type BenchRequest = ReturnType<RecordedGoogle['createRequest']>;

/** The measurements of each program, in ms, in the order of the rounds. */
export type Times = readonly (readonly number[])[];

const CALLERS = 10;
const ROUNDS = 9;
const WARM_UP_MS = 1500;
const SLICE_MS = 400;

/** Measures the processor time of a request in warm processes, of all threads. */
export async function measureWarm(
  google: RecordedGoogle,
  request: BenchRequest,
  programs: readonly Program[],
): Promise<Times> {
  const bodies: unknown[] = [];
  const processes = [];
  for (const program of programs) {
    await google.restore();
    const functionProcess = await startProgram(google, request, program);
    bodies.push(await send(request, functionProcess.origin));
    processes.push({ ...functionProcess, times: [] as number[] });
  }
  assertSameResponse(bodies);
  const measureAverage = async ({ pid, origin }: { pid: number; origin: string }, ms: number) => {
    const before = await readProcessorTime(pid);
    const requests = await sendLoad(() => send(request, origin), ms);
    return ((await readProcessorTime(pid)) - before) / requests;
  };
  for (const { pid, origin } of processes) await measureAverage({ pid, origin }, WARM_UP_MS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { times, pid, origin } of shuffle(processes)) {
      times.push(await measureAverage({ pid, origin }, SLICE_MS));
    }
  }
  for (const { stop } of processes) await stop();
  return processes.map(({ times }) => times);
}

/** Measures the time from the start of a process to its first complete response. */
export async function measureCold(
  google: RecordedGoogle,
  request: BenchRequest,
  programs: readonly Program[],
  rounds: number,
): Promise<Times> {
  await google.restore();
  const measurements = programs.map((program) => ({ program, times: [] as number[] }));
  for (let round = 0; round <= rounds; round += 1) {
    const bodies = new Map<Program, unknown>();
    for (const { program, times } of shuffle(measurements)) {
      const startedAt = performance.now();
      const { origin, stop } = await startProgram(google, request, program);
      bodies.set(program, await send(request, origin));
      times.push(performance.now() - startedAt);
      await stop();
    }
    assertSameResponse(programs.map((program) => bodies.get(program)));
  }
  // Omit the first start of each program: its files and the recorded responses are not cached yet.
  return measurements.map(({ times }) => times.slice(1));
}

function startProgram(google: RecordedGoogle, { functionId }: BenchRequest, program: Program) {
  return startFunctionProcess(
    functionId,
    { ...google.environment, ...program.env },
    program.folder,
  );
}

/** Returns the items in random order, so that no program always runs after the same other program. */
function shuffle<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** Sends a request to a program. Returns the body of its response. */
async function send(request: BenchRequest, origin: string): Promise<unknown> {
  const { functionId, path, ...init } = request;
  // Like browsers and apps, fetch accepts gzip.
  const response = await fetch(`${origin}${path}`, init);
  if (response.ok) return response.json();
  throw new Error(`${functionId}: ${response.status} ${await response.text()}`);
}

/** Repeats a call for some ms, with ten concurrent callers. Returns the number of calls. */
async function sendLoad(call: () => Promise<unknown>, ms: number): Promise<number> {
  const end = performance.now() + ms;
  let count = 0;
  const repeatCall = async () => {
    for (; performance.now() < end; count += 1) await call();
  };
  await Promise.all(Array.from({ length: CALLERS }, repeatCall));
  return count;
}

/** Throws if the service and a program that uses the SDK respond differently. The bare framework comes last. */
function assertSameResponse(bodies: readonly unknown[]): void {
  const [service, ...sdkBodies] = bodies.length > 2 ? bodies.slice(0, -1) : bodies;
  for (const body of sdkBodies) {
    if (isDeepStrictEqual(service, body)) continue;
    const excerpts = [service, body].map((value) => JSON.stringify(value).slice(0, 2000));
    throw new Error(`The programs respond differently: ${excerpts.join('\n')}`);
  }
}

/** Reads the processor time of a process so far, in ms. Linux counts it in hundredths of a second. */
async function readProcessorTime(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ');
  return 10 * (Number(fields[13]) + Number(fields[14]));
}
