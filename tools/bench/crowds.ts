/** One instance with more and more callers. */
import { storedDocument } from '../../dev/shared/factories.ts';
import { PAGE, restore, type Bench, type Measured } from './bench.ts';
import { figureOf } from './figures.ts';
import { load, type LoadResult } from './load.ts';
import type { Cell } from './report.ts';
import { peakMemoryOf, serve } from './serving.ts';

/** The deployed concurrency, and the largest that `CONCURRENCY` allows. */
const [DEPLOYED, LARGEST] = [80, 250];

/** The owner of listings of 50 kB. */
const LARGE_OWNER = 'artist-large';

const CROWDS: readonly (readonly [string, Measured, callers: number])[] = [
  ['page', PAGE, DEPLOYED],
  ['page', PAGE, LARGEST],
  ['page of 50 kB documents', { ...PAGE, owner: LARGE_OWNER }, DEPLOYED],
  ['delete-session', { functionId: 'bookings-deleteSession' }, DEPLOYED],
];

/** Measures crowds of callers in a closed loop, each in a new process. */
export async function measureCrowds(bench: Bench): Promise<void> {
  const { report, quick, programs, google } = bench;
  const rows: Cell[][] = [];
  await restore(bench);
  const large = Array.from({ length: 20 }, (_, order) => {
    const listing = { artistId: LARGE_OWNER, order, notes: 'Fine lines. '.repeat(4200) };
    return [`flash/large-${order}`, storedDocument('flash', listing)] as const;
  });
  await google.store.setAll(large);
  for (const [name, measured, callers] of quick ? CROWDS.slice(0, 1) : CROWDS) {
    report.step(`${name}: ${callers} callers`);
    const served = await serve(bench, programs.service, measured);
    const rounds: LoadResult[] = [];
    for (let round = 0; round < 3; round += 1) {
      rounds.push(await load(served, callers, quick ? 300 : 1500));
    }
    const peak = figureOf([await peakMemoryOf(served.pid)], 0);
    await served.stop();
    const of = (what: keyof LoadResult) =>
      figureOf(
        rounds.map((each) => each[what]),
        0,
      );
    rows.push([name, String(callers), of('perSecond'), of('p50'), of('p99'), of('failed'), peak]);
    report.aim(`${name}, ${callers} callers: failed`, of('failed'), 0);
    report.aim(`${name}, ${callers} callers: peak memory, MiB`, peak, 400);
  }
  report.table(
    'How many callers does an instance serve?',
    `Uncached. Each caller sends its next request when it has a response; three rounds. Times in ms, memory in MiB. The platform sends ${DEPLOYED} at once, or as many as \`CONCURRENCY\` says, at most ${LARGEST}.`,
    ['request', 'callers', 'a second', 'p50', 'p99', 'failed', 'peak memory'],
    rows,
  );
}
