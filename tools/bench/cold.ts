/** Instances that are new. */
import { optionsFor, type Bench, type Measured } from './bench.ts';
import { figureOf, ratioOf } from './figures.ts';
import type { Program } from './programs.ts';
import { memoryOf, serve } from './serving.ts';

const PAGE: Measured = { functionId: 'flash-listByArtist', query: { limit: '20' } };
const MARK: Measured = { functionId: 'flash-markAsAvailable', size: 3 };

/** From process spawn to the first 200. All but the bare framework have called Firestore by then. */
export async function measureCold(bench: Bench): Promise<void> {
  const { quick, report, programs, replaying } = bench;
  const { bare, service, sdkRest, sdkGrpc } = programs;
  const rows: readonly (readonly [string, Program, Measured, atMost?: number])[] = [
    ['the bare framework', bare, PAGE],
    ['the service, a page', service, PAGE, 1.55],
    ['the service, mark-as-available', service, MARK],
    ['the SDK over REST, a page', sdkRest, PAGE],
    ['the SDK over gRPC, a page', sdkGrpc, PAGE],
  ];
  const starts = rows.map((row) => ({ row, ms: [] as number[], memory: [] as number[] }));
  await bench.restore();
  const rounds = quick ? 2 : 15;
  // The first start of each is not counted: its files and the simulation's responses are not cached yet.
  for (let round = 0; round <= rounds; round += 1) {
    report.step(`cold start, round ${round} of ${rounds}`);
    for (const { row, ms, memory } of starts) {
      const [, program, measured] = row;
      // The bare framework calls nothing.
      const options = optionsFor(measured, bench, program === bare ? {} : replaying);
      const served = await serve(program, measured.functionId, options);
      const { now } = await memoryOf(served.pid);
      await served.stop();
      if (round === 0) continue;
      ms.push(served.coldMs);
      memory.push(now);
    }
  }
  const bareMs = starts[0]?.ms ?? [];
  report.table(
    'How long does a cold start take?',
    'From the start of the process to its first 200, in ms, and its memory then, in MiB.',
    ['program', 'ms', 'to the bare framework', 'memory'],
    starts.map(({ row: [name, , , atMost], ms, memory }) => {
      const toBare = ratioOf(ms, bareMs);
      if (atMost !== undefined) report.aim(`cold start of ${name}`, toBare, atMost);
      return [name, figureOf(ms, 0), toBare, figureOf(memory, 0)];
    }),
  );
}
