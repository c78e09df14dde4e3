/** Warm requests: their processor time beside the Admin SDK. */
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { PAGE, restore, type Bench, type Measured } from './bench.ts';
import { figureOf, ratioOf } from './figures.ts';
import { load } from './load.ts';
import type { Program } from './programs.ts';
import type { Cell } from './report.ts';
import { processorTimeOf, serve, type Served } from './serving.ts';

/** Requests that stand for all of their kind, and the goals: processor time to that of the SDK. */
const ROWS: readonly (readonly [string, Measured, atMost?: number])[] = [
  ['flash, first page of 20', PAGE, 0.4],
  ['flash, later page of 20', { ...PAGE, query: { limit: '20', cursor: 'things-19' } }, 0.4],
  ['mark-as-available, 20 listings', { functionId: 'flash-markAsAvailable', size: 20 }, 0.4],
  ['delete-session', { functionId: 'bookings-deleteSession' }],
];

const CALLERS = 10;

/** How many rounds there are, and how long requests are sent, in ms. */
const EFFORT = {
  full: { rounds: 9, warmUpMs: 1500, sliceMs: 400 },
  quick: { rounds: 2, warmUpMs: 300, sliceMs: 200 },
};

/** Measures all rows beside the SDK over gRPC, which takes less than its REST. */
export async function measureRequests(bench: Bench): Promise<void> {
  const { report, programs } = bench;
  const { service, sdkGrpc } = programs;
  report.step('noise: the service beside itself');
  const [one = [], other = []] = await measureWarm(bench, PAGE, [service, service]);
  const rows: Cell[][] = [
    ['flash, the service beside itself', figureOf(one), '', ratioOf(one, other)],
  ];
  for (const [name, measured, atMost] of ROWS) {
    report.step(name);
    const [ours = [], theirs = []] = await measureWarm(bench, measured, [service, sdkGrpc]);
    const ratio = ratioOf(ours, theirs);
    rows.push([name, figureOf(ours), figureOf(theirs), ratio]);
    if (atMost !== undefined) report.aim(`${name}, to the SDK`, ratio, atMost);
  }
  report.table(
    'What does a request take?',
    'Processor time of an uncached request in ms, of all threads; ratios are computed round by round.',
    ['request', 'service', 'SDK, gRPC', 'ratio'],
    rows,
  );
}

/**
 * Measures a request on programs alternately, each in a warm process, so that other load on the machine affects all of
 * them. Returns the processor time of a request in each round, in ms, of all threads of a program.
 */
async function measureWarm(
  bench: Bench,
  measured: Measured,
  programs: readonly Program[],
): Promise<number[][]> {
  const { rounds, warmUpMs, sliceMs } = EFFORT[bench.quick ? 'quick' : 'full'];
  const served = await serveAlike(bench, measured, programs);
  for (const one of served) await send(one, warmUpMs);
  const results = served.map((one) => ({ one, times: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    // Each program is the first one equally often.
    const first = round % results.length;
    for (const { one, times } of [...results.slice(first), ...results.slice(0, first)]) {
      times.push(await send(one, sliceMs));
    }
  }
  for (const { stop } of served) await stop();
  return results.map(({ times }) => times);
}

/** Serves programs; throws if the numbers of their first Firestore calls differ, or their first responses. */
async function serveAlike(
  bench: Bench,
  measured: Measured,
  programs: readonly Program[],
): Promise<Served[]> {
  const served: Served[] = [];
  const seen: { calls: number; body: unknown }[] = [];
  for (const program of programs) {
    // The program before it may have changed the documents.
    await restore(bench);
    const before = bench.google.calls();
    const one = await serve(bench, program, measured);
    served.push(one);
    // The first bytes of gzip.
    const isCompressed = one.first.readUInt16BE() === 0x1f8b;
    const body: unknown = JSON.parse((isCompressed ? gunzipSync(one.first) : one.first).toString());
    seen.push({ calls: bench.google.calls() - before, body });
  }
  if (seen.every((each) => isDeepStrictEqual(each, seen[0]))) return served;
  throw new Error(`${measured.functionId}: the programs differ: ${JSON.stringify(seen)}`);
}

/** Sends the request for some ms; returns the processor time that each took, in ms. */
async function send(served: Served, ms: number): Promise<number> {
  const before = await processorTimeOf(served.pid);
  const { failed, requests } = await load(served, CALLERS, ms);
  const after = await processorTimeOf(served.pid);
  if (failed > 0) throw new Error(`${failed} requests failed.`);
  return (after - before) / requests;
}
