import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { optionsFor, type Bench, type Measured } from './bench.ts';
import type { Program } from './programs.ts';
import { processorTimeOf, serve, type Served } from './serving.ts';

const CALLERS = 10;

/** How many rounds there are, and how long requests are sent, in ms. */
const EFFORT = {
  full: { rounds: 9, warmUpMs: 1500, sliceMs: 400 },
  quick: { rounds: 2, warmUpMs: 300, sliceMs: 200 },
};

/** The processor time of a request in each round, in ms, of all threads of a program. */
export type Rounds = readonly number[];

/**
 * Measures a request on programs alternately, each in a warm process, so that other load on the machine affects all of
 * them. Throws if the numbers of their first Firestore calls differ, or their first responses.
 */
export async function measureWarm(
  bench: Bench,
  measured: Measured,
  programs: readonly Program[],
): Promise<Rounds[]> {
  const { rounds, warmUpMs, sliceMs } = EFFORT[bench.quick ? 'quick' : 'full'];
  const options = optionsFor(measured, bench, bench.replaying);
  const { functionId } = measured;
  const seen: { calls: number; body: unknown }[] = [];
  const served: Served[] = [];
  for (const program of programs) {
    // The program before it may have changed the documents.
    await bench.restore();
    const before = await bench.calls();
    const one = await serve(program, functionId, options);
    served.push(one);
    // The first bytes of gzip.
    const isCompressed = one.first.readUInt16BE() === 0x1f8b;
    const body: unknown = JSON.parse((isCompressed ? gunzipSync(one.first) : one.first).toString());
    seen.push({ calls: (await bench.calls()) - before, body });
  }
  if (!seen.every((each) => isDeepStrictEqual(each, seen[0]))) {
    throw new Error(`${functionId}: the programs differ: ${JSON.stringify(seen)}`);
  }

  async function send({ port, pid, errors }: Served, ms: number): Promise<number> {
    const before = await processorTimeOf(pid);
    const { example } = options;
    const { failed, requests } = await bench.load({ port, example, callers: CALLERS, ms });
    const after = await processorTimeOf(pid);
    if (failed > 0) throw new Error(`${functionId}: ${failed} requests failed: ${errors()}`);
    return (after - before) / requests;
  }

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
