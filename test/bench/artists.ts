/** The artist list of a cold instance, as deployed. */
import { optionsFor, type Bench } from './bench.ts';
import { figureOf, type Figure } from './figures.ts';
import { projectWithArtists } from './fixtures.ts';
import type { Environment } from './google.ts';
import type { Program } from './programs.ts';
import type { Cell } from './report.ts';
import { ask, memoryOf, serve } from './serving.ts';

const COUNTS = [1000, 10_000, 25_000, 50_000, 100_000];

/** What is measured of a start; times in ms, memory in MiB. */
interface Start {
  readonly ms: number;
  readonly refused: number;
  readonly reads: number;
  readonly peak: number;
  readonly pause: number;
  readonly again: number;
  readonly plain: number;
  readonly plainStatus: number;
  readonly peakThen: number;
  readonly readsThen: number;
}

async function start(
  bench: Bench,
  program: Program,
  count: number,
  google: Environment,
): Promise<Start> {
  const measured = {
    functionId: 'artists-list',
    headers: { 'Accept-Encoding': 'gzip' },
    parameters: { GCLOUD_PROJECT: projectWithArtists(count), PUBLIC_CACHE_SECONDS: '300' },
  };
  const options = optionsFor(measured, program, bench, google);
  await bench.seen();
  const served = await serve(program, measured.functionId, { ...options, pauses: true });
  const { artists: reads } = await bench.seen();
  const { peak } = await memoryOf(served.pid);
  const pause = await served.longestPause();
  const timed = async (headers: Readonly<Record<string, string>>) => {
    const began = performance.now();
    const answer = await ask(served.port, { ...options.example, headers });
    return { ms: performance.now() - began, status: answer?.status ?? 0 };
  };
  const again = await timed(measured.headers);
  const plain = await timed({});
  const { calls: readsThen } = await bench.seen();
  const { peak: peakThen } = await memoryOf(served.pid);
  await served.stop();
  return {
    ...{ ms: served.coldMs, refused: served.refused, reads, peak, pause },
    ...{ again: again.ms, plain: plain.ms, plainStatus: plain.status, peakThen, readsThen },
  };
}

/** The service with each number of artists at 0 and 100 ms a query; the SDK and the limit at one of them. */
export async function measureArtists(bench: Bench): Promise<void> {
  const { report, quick, replaying, distant, programs } = bench;
  const rows: Cell[][] = [];
  const own: number[] = [];
  const measure = async (program: Program, count: number, google: Environment) => {
    const starts: Start[] = [];
    const rounds = quick ? 1 : count > 25_000 ? 2 : 3;
    // The simulation that replays must have recorded its responses.
    if (google === replaying) await start(bench, program, count, google);
    for (let round = 0; round < rounds; round += 1) {
      starts.push(await start(bench, program, count, google));
    }
    return (what: keyof Start, digits = 0) =>
      figureOf(
        starts.map((each) => each[what]),
        digits,
      );
  };
  for (const count of quick ? COUNTS.slice(0, 2) : COUNTS) {
    for (const [delay, google] of [
      [0, replaying],
      [100, distant],
    ] as const) {
      report.step(`${count} artists at ${delay} ms a query`);
      const of = await measure(programs.service, count, google);
      const status = of('plainStatus').median;
      rows.push([
        ...[
          shownCount(count),
          String(delay),
          of('ms'),
          of('refused'),
          delay === 0 ? '' : of('reads'),
        ],
        ...[of('peak'), of('pause'), of('again'), of('readsThen')],
        ...[status === 200 ? of('plain') : String(status), of('peakThen')],
      ]);
      const name = `${shownCount(count)} artists at ${delay} ms`;
      const goalMs = { 10_000: 2000, 25_000: 4000, 50_000: 10_000 }[count];
      if (delay > 0 && goalMs !== undefined) report.aim(`${name}, ms`, of('ms'), goalMs);
      if (count === 50_000) report.aim(`${name}, peak memory, MiB`, of('peakThen'), 300);
      report.aim(`${name}, longest pause, ms`, of('pause'), 100);
      report.aim(`${name}, calls of Firestore by a second and a third request`, of('readsThen'), 0);
      if (delay === 0 && count === 10_000) own.push(of('ms').median);
    }
  }
  report.table(
    'The artist list',
    'The first response of a cold instance with gzip, from the start of the process; a second one; and a third one without gzip. Times in ms, memory in MiB.',
    [
      ...['artists', 'ms a query', 'first 200', '503 before', 'reads', 'peak', 'longest pause'],
      ...['second', 'calls then', 'without gzip', 'peak then'],
    ],
    rows,
  );
  const others: [string, Figure][] = [];
  for (const [name, program] of [
    ...([
      ['the service', programs.service],
      ['the SDK over REST', programs.sdkRest],
    ] as const),
    ...([['the SDK over gRPC', programs.sdkGrpc]] as const),
  ]) {
    report.step(`10 000 artists: ${name}`);
    others.push([name, (await measure(program, 10_000, replaying))('ms')]);
  }
  report.table(
    '10 000 artists beside the SDK',
    'At 0 ms a query, in ms.',
    ['program', 'first 200'],
    others,
  );
  const [service, ...sdk] = others.map(([, { median }]) => median);
  void own;
  report.aim(
    '10 000 artists at 0 ms, to the SDK',
    figureOf([(service ?? NaN) / Math.min(...sdk)]),
    0.25,
  );
}

function shownCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
}
