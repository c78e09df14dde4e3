import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { optionsFor, restore, type Bench, type Measured } from './bench.ts';
import type { Program } from './programs.ts';
import { processorTimeOf, serve, stopAll, type Served } from './serving.ts';

const CALLERS = 10;

/** How many rounds there are, and how long requests are sent, in ms. */
const EFFORT = {
  full: { rounds: 9, warmUpMs: 1500, sliceMs: 400 },
  quick: { rounds: 2, warmUpMs: 300, sliceMs: 200 },
};

/** The processor time of a request in each round, in ms, of all threads of the program. */
export type Rounds = readonly number[];

/**
 * Measures a request on programs alternately, each in a warm process, so that other load on the machine affects all of
 * them. Throws if the numbers of their first Firestore calls differ, or their first responses.
 */
export async function measureWarm<Names extends string>(
  bench: Bench,
  measured: Measured,
  programs: Readonly<Record<Names, Program>>,
): Promise<Record<Names, Rounds>> {
  const { rounds, warmUpMs, sliceMs } = EFFORT[bench.quick ? 'quick' : 'full'];
  const names = Object.keys(programs) as Names[];
  const served = new Map<Names, Served>();
  const results = {} as Record<Names, number[]>;
  const calls: number[] = [];
  for (const name of names) {
    results[name] = [];
    // A program may have changed the documents.
    await restore(bench);
    const options = optionsFor(measured, programs[name], bench, bench.replaying);
    await bench.seen();
    served.set(name, await serve(programs[name], measured.functionId, options));
    calls.push((await bench.seen()).calls);
  }
  const [first, ...others] = [...served.values()].map((each) => parsed(each.first));
  if (new Set(calls).size > 1 || !others.every((body) => isDeepStrictEqual(body, first))) {
    throw new Error(`Not alike: ${names.join()}: ${calls.join()}: ${JSON.stringify(first)}`);
  }

  async function send(name: Names, ms: number): Promise<number> {
    const one = served.get(name);
    if (one === undefined) return NaN;
    const { example } = optionsFor(measured, programs[name], bench, bench.replaying);
    const before = await processorTimeOf(one.pid);
    const sent = await bench.load({ port: one.port, example, callers: CALLERS, ms });
    const after = await processorTimeOf(one.pid);
    if (sent.failed > 0) throw new Error(`${measured.functionId}, ${name}: ${one.errors()}`);
    return (after - before) / sent.requests;
  }

  for (const name of names) await send(name, warmUpMs);
  for (let round = 0; round < rounds; round += 1) {
    // Each program is the first one equally often.
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length];
      if (name !== undefined) results[name].push(await send(name, sliceMs));
    }
  }
  await stopAll();
  return results;
}

function parsed(body: Buffer): unknown {
  // The first bytes of gzip.
  const isCompressed = body.readUInt16BE() === 0x1f8b;
  return JSON.parse((isCompressed ? gunzipSync(body) : body).toString());
}
