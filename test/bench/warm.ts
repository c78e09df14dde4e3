import { isDeepStrictEqual } from 'node:util';
import { storeExampleWorld } from '../support/exampleRequests.ts';
import type { Program } from './baselines.ts';
import { optionsFor, WORLD, type Bench, type Measured } from './bench.ts';
import { figureOf, ratioOf, relativeSpread, type Figure } from './figures.ts';
import type { LoadResult } from './load.ts';
import { memoryOf, processorTimeOf, serve, type Served } from './serving.ts';

/** The number of callers in a closed loop. */
const CALLERS = 10;

/** The loads of the open loops, relative to the throughput of the program. */
export const OPEN_LOOPS = [0.5, 0.8] as const;

/** The maximum distance of the quartiles of a ratio from its median; above it, another round is measured. */
const SPREAD = 0.1;

/** Durations in ms, and numbers of rounds. */
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
  /** Processor time per request, in ms, of all threads of the program. */
  readonly processorMs: number;
}

/** The measurements of a program under load. */
export interface Warm {
  readonly slices: readonly Slice[];
  /** In the order of `OPEN_LOOPS`; none in a quick run. */
  readonly open: readonly LoadResult[];
  readonly peakMiB: number;
}

/**
 * Measures programs with one request: each in a warm process, alternately, so that other load on the machine affects
 * all of them. Throws if the numbers of their Firestore calls differ, or the bodies of `comparable` ones. The latency
 * of these is also measured in open loops.
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
      // Restores the documents that a program has deleted.
      await storeExampleWorld(bench.store, WORLD);
      const program = contest[name];
      const options = optionsFor(measured, program, bench.google.replaying);
      const before = await bench.google.calls();
      served.set(name, await serve(program, measured.functionId, options));
      calls.push((await bench.google.calls()) - before);
    }
    requireAlike(comparable.map((name) => served.get(name)?.first ?? ''));
    if (new Set(calls).size > 1) {
      throw new Error(`The numbers of Firestore calls differ: ${names.join()}: ${calls.join()}.`);
    }
    for (const one of served.values()) await slice(one, effort.warmUpMs);
    for (let round = 0; round < effort.maxRounds; round += 1) {
      if (round >= effort.minRounds && isSettled()) break;
      // Each program is the first one equally often.
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

/** Equal responses show that the programs do the same work. */
function requireAlike(bodies: readonly string[]): void {
  const [first, ...others] = bodies.map((body) => JSON.parse(body) as unknown);
  if (others.every((other) => isDeepStrictEqual(other, first))) return;
  throw new Error(`The responses differ:\n${bodies.join('\n')}`);
}

/** A value of a program in all rounds. */
export function of({ slices }: Warm, what: keyof Slice): Figure {
  return figureOf(slices.map((each) => each[what]));
}

/** The ratio of a value of two programs, round by round. */
export function ratio(one: Warm, other: Warm, what: keyof Slice): Figure {
  return ratioOf(
    one.slices.map((each) => each[what]),
    other.slices.map((each) => each[what]),
  );
}

/** The program with less processor time. */
export function cheaper<Name extends string>(
  results: Readonly<Record<Name, Warm>>,
  one: Name,
  other: Name,
): Name {
  const [a, b] = [of(results[one], 'processorMs'), of(results[other], 'processorMs')];
  return a.median <= b.median ? one : other;
}
