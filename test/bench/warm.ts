import { isDeepStrictEqual } from 'node:util';
import { storeExampleWorld } from '../support/exampleRequests.ts';
import type { Program } from './baselines.ts';
import { optionsFor, WORLD, type Bench, type Measured } from './bench.ts';
import { figureOf, ratioOf, relativeSpread, type Figure } from './figures.ts';
import type { LoadResult } from './load.ts';
import { memoryOf, processorTimeOf, serve, type Served } from './serving.ts';

/** How many callers a closed loop has. */
const CALLERS = 10;

/** The parts of its capacity at which a program is asked in an open loop. */
export const OPEN_LOOPS = [0.5, 0.8] as const;

/** How far the quartiles of a ratio may be from its median before another round is measured. */
const SPREAD = 0.1;

/** How long things take, in ms, and how many rounds there are. */
interface Effort {
  readonly warmUpMs: number;
  readonly sliceMs: number;
  readonly openMs: number;
  readonly minRounds: number;
  readonly maxRounds: number;
}

const FULL: Effort = {
  ...{ warmUpMs: 1500, sliceMs: 400, openMs: 1000 },
  ...{ minRounds: 7, maxRounds: 11 },
};
const QUICK: Effort = {
  ...{ warmUpMs: 300, sliceMs: 300, openMs: 0 },
  ...{ minRounds: 2, maxRounds: 2 },
};

/** One round of a closed loop. */
interface Slice extends LoadResult {
  /** Processor time of a request, in ms: of the program alone, all its threads. */
  readonly processorMs: number;
}

/** What was measured of a program under load. */
export interface Warm {
  readonly slices: readonly Slice[];
  /** In the order of `OPEN_LOOPS`; none in a quick run. */
  readonly open: readonly LoadResult[];
  readonly peakMiB: number;
}

/**
 * Measures programs at one request: each in a process that is warm, in turns, so that whatever else the machine does
 * meets all of them. Throws where they do not make as many calls of Firestore, or where those of `comparable` do not give
 * the same body; of those the latency in open loops is measured, too.
 */
export async function measureWarm<Names extends string>(
  bench: Bench,
  measured: Measured,
  contest: Readonly<Record<Names, Program>>,
  comparable: readonly NoInfer<Names>[],
): Promise<Record<Names, Warm>> {
  const effort = bench.quick ? QUICK : FULL;
  const names = Object.keys(contest) as Names[];
  const served = new Map<Names, Served>();
  const calls: number[] = [];
  const slices = new Map<Names, Slice[]>(names.map((name) => [name, []]));
  const { example } = optionsFor(measured, bench.programs.service, bench.google.replaying);

  async function slice(one: Served, ms: number): Promise<Slice> {
    const before = await processorTimeOf(one.pid);
    const load = { port: one.port, example, ms, callers: CALLERS };
    const result = await bench.load.run(load).catch((cause: unknown) => {
      throw new Error(one.errors(), { cause });
    });
    const after = await processorTimeOf(one.pid);
    return { ...result, processorMs: (after - before) / result.requests };
  }

  const processorMsOf = (name: Names) =>
    (slices.get(name) ?? []).map(({ processorMs }) => processorMs);
  const isSettled = () => {
    const [first, ...others] = names.map(processorMsOf);
    return others.every((other) => relativeSpread(ratioOf(first ?? [], other)) <= SPREAD);
  };

  try {
    for (const name of names) {
      // What one has deleted the next one must find again.
      await storeExampleWorld(bench.firestore, WORLD);
      const program = contest[name];
      const options = optionsFor(measured, program, bench.google.replaying);
      const before = await bench.google.calls();
      served.set(name, await serve(program, measured.functionId, options));
      calls.push((await bench.google.calls()) - before);
    }
    requireAlike(comparable.map((name) => served.get(name)?.first ?? ''));
    if (new Set(calls).size > 1) {
      throw new Error(`The programs do not make as many calls: ${names.join()}: ${calls.join()}.`);
    }
    for (const one of served.values()) await slice(one, effort.warmUpMs);
    for (let round = 0; round < effort.maxRounds; round += 1) {
      if (round >= effort.minRounds && isSettled()) break;
      // Each goes first as often as the others.
      for (let turn = 0; turn < names.length; turn += 1) {
        const name = names[(round + turn) % names.length];
        const one = name && served.get(name);
        if (one) slices.get(name)?.push(await slice(one, effort.sliceMs));
      }
    }
    const result = {} as Record<Names, Warm>;
    for (const [name, one] of served) {
      const own = slices.get(name) ?? [];
      const capacity = figureOf(own.map(({ perSecond }) => perSecond)).median;
      const open: LoadResult[] = [];
      for (const part of comparable.includes(name) && effort.openMs > 0 ? OPEN_LOOPS : []) {
        const perSecond = part * capacity;
        open.push(await bench.load.run({ port: one.port, example, ms: effort.openMs, perSecond }));
      }
      result[name] = { slices: own, open, peakMiB: (await memoryOf(one.pid)).peak };
    }
    return result;
  } finally {
    for (const one of served.values()) await one.stop();
  }
}

/** That what is compared does the same work is seen by its answer. */
function requireAlike(bodies: readonly string[]): void {
  const [first, ...others] = bodies.map((body) => JSON.parse(body) as unknown);
  if (others.every((other) => isDeepStrictEqual(other, first))) return;
  throw new Error(`The programs do not answer alike:\n${bodies.join('\n')}`);
}

/** A figure of all rounds of a program. */
export function of({ slices }: Warm, what: keyof Slice): Figure {
  return figureOf(slices.map((each) => each[what]));
}

/** The ratio of a figure of two programs, round by round. */
export function ratio(one: Warm, other: Warm, what: keyof Slice): Figure {
  return ratioOf(
    one.slices.map((each) => each[what]),
    other.slices.map((each) => each[what]),
  );
}

/** The one that takes less processor time. */
export function cheaper<Name extends string>(
  results: Readonly<Record<Name, Warm>>,
  one: Name,
  other: Name,
): Name {
  const [a, b] = [of(results[one], 'processorMs'), of(results[other], 'processorMs')];
  return a.median <= b.median ? one : other;
}
