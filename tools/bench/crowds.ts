/** One instance with more and more callers. */
import { optionsFor, restore, type Bench, type Measured } from './bench.ts';
import { figureOf } from './figures.ts';
import { LARGE_OWNER } from './fixtures.ts';
import type { LoadResult } from './load.ts';
import type { Program } from './programs.ts';
import type { Cell } from './report.ts';
import { memoryOf, serve } from './serving.ts';

const PAGE: Measured = {
  functionId: 'flash-listByArtist',
  query: { limit: '20' },
  headers: { 'Accept-Encoding': 'gzip' },
};
const RESET: Measured = { functionId: 'notifications-resetNewNotifications' };
/** The deployed concurrency, and the largest that `CONCURRENCY` allows. */
const [DEPLOYED, LARGEST] = [80, 250];
const CROWDS = [10, DEPLOYED, LARGEST, 500, 2000];

/** Measures crowds of callers in a closed loop, each in a new process. */
export async function measureCrowds(bench: Bench): Promise<void> {
  const { report, quick, programs } = bench;
  const { service, express } = programs;
  const contest: readonly [string, Program, Measured, readonly number[]][] = [
    ['the service, page, uncached', service, PAGE, CROWDS],
    ['Express, page, uncached', express, PAGE, [10, DEPLOYED]],
    ['the service, reset', service, RESET, CROWDS],
    ['Express, reset', express, RESET, [10, DEPLOYED]],
    ['the service, page of 50 kB documents', service, { ...PAGE, owner: LARGE_OWNER }, [DEPLOYED]],
  ];
  const rows: Cell[][] = [];
  await restore(bench);
  for (const [name, program, measured, crowds] of contest) {
    for (const callers of quick ? crowds.slice(0, 1) : crowds) {
      report.step(`${name}: ${callers} callers`);
      const options = optionsFor(measured, program, bench, bench.replaying);
      const { port, pid, stop } = await serve(program, measured.functionId, options);
      const rounds: LoadResult[] = [];
      for (let round = 0; round < 3; round += 1) {
        const load = { port, examples: [options.example], callers, ms: quick ? 300 : 1500 };
        rounds.push(await bench.load(load));
      }
      const peak = figureOf([(await memoryOf(pid)).peak], 0);
      await stop();
      const of = (what: keyof LoadResult) =>
        figureOf(
          rounds.map((each) => each[what]),
          0,
        );
      const columns = ['perSecond', 'p50', 'p99', 'longest', 'failed'] as const;
      rows.push([name, String(callers), ...columns.map(of), peak]);
      if (measured === PAGE && program === service && callers === DEPLOYED) {
        report.aim(`${name}, ${callers} callers: peak memory, MiB`, peak, 250);
      }
      if (program !== service || (callers !== LARGEST && crowds.length > 1)) continue;
      report.aim(`${name}, ${callers} callers: failed`, of('failed'), 0);
      report.aim(`${name}, ${callers} callers: longest, ms`, of('longest'), 10_000);
      report.aim(`${name}, ${callers} callers: peak memory, MiB`, peak, 400);
    }
  }
  report.table(
    'Callers of one instance',
    `Each caller sends its next request when it has a response; three rounds. Times in ms, memory in MiB. The platform sends no more than \`CONCURRENCY\` (${DEPLOYED}, at most ${LARGEST}) at once: the rows beyond show what would happen.`,
    ['request', 'callers', 'a second', 'p50', 'p99', 'longest', 'failed', 'peak memory'],
    rows,
  );
}
