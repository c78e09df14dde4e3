/** The artist list of a cold instance, as deployed. */
import { optionsFor, type Bench } from './bench.ts';
import { figureOf, shownNumber } from './figures.ts';
import { projectWithArtists, type ArtistKind } from './fixtures.ts';
import { ask, memoryOf, serve } from './serving.ts';

/** How many artists of which kind, and the goals: the time in ms, the peak of memory in MiB. */
interface Row {
  readonly count: number;
  readonly kind: ArtistKind;
  readonly name: string;
  readonly ms?: number;
  readonly peak?: number;
}

const ROWS: readonly Row[] = [
  { count: 1000, kind: 'usual', name: '1 000' },
  { count: 10_000, kind: 'usual', name: '10 000' },
  { count: 25_000, kind: 'usual', name: '25 000', ms: 4000, peak: 300 },
  { count: 50_000, kind: 'usual', name: '50 000' },
  { count: 3000, kind: 'foreign', name: '3 000, 40 kB each in a field of others', peak: 350 },
  { count: 3000, kind: 'text', name: '3 000, 40 kB each in the response', peak: 350 },
];

/** A cold start, and two more requests; times in ms, memory in MiB. */
async function start(bench: Bench, { count, kind }: Row) {
  const { service } = bench.programs;
  const measured = {
    functionId: 'artists-list',
    headers: { 'Accept-Encoding': 'gzip' },
    parameters: { GCLOUD_PROJECT: projectWithArtists(count, kind), PUBLIC_CACHE_SECONDS: '300' },
  };
  const options = optionsFor(measured, service, bench, bench.distant);
  await bench.seen();
  const served = await serve(service, measured.functionId, { ...options, pauses: true });
  const { artists } = await bench.seen();
  const pause = await served.longestPause();
  const { port, coldMs, pid, stop } = served;
  const began = performance.now();
  await ask(port, options.example);
  const second = performance.now() - began;
  const { status } = (await ask(port, { ...options.example, headers: {} })) ?? { status: 0 };
  const { peak } = await memoryOf(pid);
  await stop();
  return { ms: coldMs, reads: artists, pause, second, status, peak };
}

type Start = Awaited<ReturnType<typeof start>>;

/** Measures the list with each number of artists. */
export async function measureArtists(bench: Bench): Promise<void> {
  const { report, quick } = bench;
  const rows: (readonly [Row, Start[]])[] = (quick ? ROWS.slice(0, 1) : ROWS).map((row) => [
    row,
    [],
  ]);
  const rounds = quick ? 1 : 3;
  for (let round = 0; round < rounds; round += 1) {
    report.step(`artists, round ${round + 1} of ${rounds}`);
    for (const [row, starts] of rows) starts.push(await start(bench, row));
  }
  report.table(
    'How long does the artist list take?',
    'The first list of a cold instance, from the start of the process, with 100 ms a query; a second one; the status without gzip. Times in ms, memory in MiB.',
    ['artists', 'first 200', 'reads', 'longest pause', 'second', 'without gzip', 'peak memory'],
    rows.map(([{ name, ms, peak }, starts]) => {
      const of = (what: keyof Start) =>
        figureOf(
          starts.map((each) => each[what]),
          0,
        );
      if (ms !== undefined) report.aim(`${name} artists, ms`, of('ms'), ms);
      if (peak !== undefined) report.aim(`${name} artists, peak memory, MiB`, of('peak'), peak);
      const status = shownNumber(of('status').median);
      return [name, of('ms'), of('reads'), of('pause'), of('second'), status, of('peak')];
    }),
  );
}
