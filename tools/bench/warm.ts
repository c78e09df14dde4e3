import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { ExampleRequest } from '../../dev/shared/exampleRequests.ts';
import { optionsFor, restore, type Bench, type Measured } from './bench.ts';
import { figureOf, ratioOf, type Figure } from './figures.ts';
import type { Program } from './programs.ts';
import { processorTimeOf, serve, stopAll, type Served } from './serving.ts';

const CALLERS = 10;

/** How much is sent: in ms, or in requests where each of them is another one. */
export const EFFORT = {
  full: { rounds: 9, warmUp: { ms: 1500, requests: 700 }, slice: { ms: 400, requests: 150 } },
  quick: { rounds: 2, warmUp: { ms: 300, requests: 50 }, slice: { ms: 200, requests: 50 } },
} as const;

/** A program, and what is asked of it. */
export interface Contender {
  readonly program: Program;
  readonly measured: Measured;
  /** Requests of which each is sent once. If a contender has them, all send as many requests. */
  readonly pool?: readonly ExampleRequest[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The processor time of a request in each round, in ms, of all threads of the program. */
export type Rounds = readonly number[];

/**
 * Measures programs alternately, each in a warm process, so that other load on the machine affects all of them. Throws
 * if the numbers of their first Firestore calls differ, or the first responses of those with names in `alike`.
 */
export async function measureWarm<Names extends string>(
  bench: Bench,
  contenders: Readonly<Record<Names, Contender>>,
  alike: readonly NoInfer<Names>[] = [],
): Promise<Record<Names, Rounds>> {
  const effort = EFFORT[bench.quick ? 'quick' : 'full'];
  const names = Object.keys(contenders) as Names[];
  const isCounted = names.some((name) => contenders[name].pool !== undefined);
  const served = new Map<Names, Served>();
  const measured = {} as Record<Names, number[]>;
  for (const name of names) measured[name] = [];
  const used = new Map<Names, number>();
  const calls: number[] = [];

  async function send(name: Names, how: { ms: number; requests: number }): Promise<number> {
    const { pool, measured: what, program } = contenders[name];
    const one = served.get(name);
    if (one === undefined) return NaN;
    const from = used.get(name) ?? 0;
    used.set(name, from + how.requests);
    const { example } = optionsFor(what, program, bench, bench.replaying);
    const examples = pool?.slice(from, from + how.requests) ?? [example];
    const until = isCounted ? { requests: how.requests } : { ms: how.ms };
    const before = await processorTimeOf(one.pid);
    const sent = await bench.load({ port: one.port, examples, callers: CALLERS, ...until });
    const after = await processorTimeOf(one.pid);
    if (sent.failed > 0) throw new Error(`${what.functionId}, ${name}: ${one.errors()}`);
    return (after - before) / sent.requests;
  }

  const scouted = new Set<Program>();
  for (const { program, measured: what, pool } of Object.values<Contender>(contenders)) {
    if (pool === undefined || scouted.has(program)) continue;
    scouted.add(program);
    // The simulation records its responses, so that all find them recorded.
    const scout = await serve(
      program,
      what.functionId,
      optionsFor(what, program, bench, bench.replaying),
    );
    const { port } = scout;
    await bench.load({ port, examples: pool, callers: CALLERS, requests: pool.length });
    await scout.stop();
  }
  for (const name of names) {
    // A program may have changed the documents.
    await restore(bench);
    const { program, measured: what, env } = contenders[name];
    const { example, env: usual } = optionsFor(what, program, bench, bench.replaying);
    await bench.seen();
    served.set(name, await serve(program, what.functionId, { example, env: { ...usual, ...env } }));
    calls.push((await bench.seen()).calls);
  }
  const bodies = alike.map((name) => parsed(served.get(name)?.first ?? Buffer.of()));
  if (new Set(calls).size > 1 || !bodies.every((body) => isDeepStrictEqual(body, bodies[0]))) {
    throw new Error(`Not alike: ${names.join()}: ${calls.join()}: ${JSON.stringify(bodies)}`);
  }
  for (const name of names) await send(name, effort.warmUp);
  for (let round = 0; round < effort.rounds; round += 1) {
    // Each program is the first one equally often.
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length];
      if (name !== undefined) measured[name].push(await send(name, effort.slice));
    }
  }
  await stopAll();
  return measured;
}

/** How many different requests a contender sends. */
export function poolSize({ quick }: Bench): number {
  const { rounds, warmUp, slice } = EFFORT[quick ? 'quick' : 'full'];
  return warmUp.requests + rounds * slice.requests;
}

function parsed(body: Buffer): unknown {
  // The first bytes of gzip.
  const isCompressed = body.readUInt16BE() === 0x1f8b;
  return JSON.parse((isCompressed ? gunzipSync(body) : body).toString());
}

/** The ratio to the cheaper of two programs. */
export function ratioToCheaper(own: Rounds, one: Rounds, other: Rounds): Figure {
  const isOne = figureOf(one).median <= figureOf(other).median;
  return ratioOf(own, isOne ? one : other);
}
