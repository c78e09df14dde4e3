/** The artist list of a cold instance, as deployed. */
import { optionsFor, type Bench } from './bench.ts';
import { figureOf, shownNumber } from './figures.ts';
import { projectWithArtists } from './names.ts';
import { memoryOf, serve } from './serving.ts';

/** How many artists, and the goals: the time in ms, the peak of memory in MiB. */
interface Row {
  readonly count: number;
  readonly ms?: number;
  readonly peak?: number;
}

const ROWS: readonly Row[] = [
  { count: 1000 },
  { count: 10_000 },
  { count: 25_000, ms: 4000, peak: 300 },
  { count: 50_000 },
];

/** The time to the first response, in ms, and the peak of memory, in MiB. */
async function start(bench: Bench, count: number) {
  const measured = {
    functionId: 'artists-list',
    parameters: { GCLOUD_PROJECT: projectWithArtists(count), PUBLIC_CACHE_SECONDS: '300' },
  };
  const options = optionsFor(measured, bench, bench.distant);
  const { coldMs, pid, stop } = await serve(bench.programs.service, measured.functionId, options);
  const { peak } = await memoryOf(pid);
  await stop();
  return { ms: coldMs, peak };
}

/** Measures the list with each number of artists. */
export async function measureArtists(bench: Bench): Promise<void> {
  const { report, quick } = bench;
  const measured = (quick ? ROWS.slice(0, 1) : ROWS).map((row) => ({
    row,
    ms: [] as number[],
    peak: [] as number[],
  }));
  const rounds = quick ? 1 : 3;
  for (let round = 0; round < rounds; round += 1) {
    report.step(`artists, round ${round + 1} of ${rounds}`);
    for (const { row, ms, peak } of measured) {
      const started = await start(bench, row.count);
      ms.push(started.ms);
      peak.push(started.peak);
    }
  }
  report.table(
    'How long does the artist list take?',
    'The first list of a cold instance, from the start of the process, with 100 ms a query. Times in ms, memory in MiB.',
    ['artists', 'first 200', 'peak memory'],
    measured.map(({ row, ...each }) => {
      const [ms, peak] = [figureOf(each.ms, 0), figureOf(each.peak, 0)];
      const count = shownNumber(row.count);
      if (row.ms !== undefined) report.aim(`${count} artists, ms`, ms, row.ms);
      if (row.peak !== undefined) report.aim(`${count} artists, peak memory, MiB`, peak, row.peak);
      return [count, ms, peak];
    }),
  );
}
