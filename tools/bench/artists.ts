/** The artist list of a cold instance, as deployed. */
import { optionsFor, type Bench } from './bench.ts';
import { figureOf, shownNumber } from './figures.ts';
import { projectWithArtists } from './fixtures.ts';
import type { Program } from './programs.ts';
import { ask, memoryOf, serve } from './serving.ts';
import { ratioToCheaper } from './warm.ts';

const COUNTS = [1000, 10_000, 25_000, 50_000, 100_000];
/** How long a list may take at 100 ms a query, in ms. */
const GOALS: Readonly<Record<number, number>> = { 10_000: 2000, 25_000: 4000, 50_000: 10_000 };

/** A program with a number of artists, and the time of a query in ms. */
interface Case {
  readonly program: Program;
  readonly count: number;
  readonly queryMs: 0 | 100;
}

/** A cold start, and two more requests; times in ms, memory in MiB. */
async function start(bench: Bench, { program, count, queryMs }: Case) {
  const measured = {
    functionId: 'artists-list',
    headers: { 'Accept-Encoding': 'gzip' },
    parameters: { GCLOUD_PROJECT: projectWithArtists(count), PUBLIC_CACHE_SECONDS: '300' },
  };
  const google = queryMs === 0 ? bench.replaying : bench.distant;
  const options = optionsFor(measured, program, bench, google);
  await bench.seen();
  const served = await serve(program, measured.functionId, { ...options, pauses: true });
  const { artists } = await bench.seen();
  const pause = await served.longestPause();
  const { port, coldMs, refused, pid, stop } = served;
  const timed = async (headers: Readonly<Record<string, string>>) => {
    const began = performance.now();
    const answer = await ask(port, { ...options.example, headers });
    return { ms: performance.now() - began, status: answer?.status ?? 0 };
  };
  const { ms: second } = await timed(measured.headers);
  const plain = await timed({});
  const { calls } = await bench.seen();
  const { peak } = await memoryOf(pid);
  await stop();
  const then = { second, plain: plain.ms, status: plain.status, calls };
  return { ms: coldMs, refused, reads: artists, pause, peak, ...then };
}

type Start = Awaited<ReturnType<typeof start>>;

/** Measures the service with each number of artists at 0 and 100 ms a query, and the SDK with one of them. */
export async function measureArtists(bench: Bench): Promise<void> {
  const { report, quick, programs } = bench;
  const { service, sdkRest, sdkGrpc } = programs;
  const own = (quick ? COUNTS.slice(0, 2) : COUNTS).flatMap((count): Case[] => [
    { program: service, count, queryMs: 0 },
    { program: service, count, queryMs: 100 },
  ]);
  const others = [sdkRest, sdkGrpc].map((program): Case => ({
    program,
    count: 10_000,
    queryMs: 0,
  }));
  const starts = new Map([...own, ...others].map((each) => [each, [] as Start[]]));
  const rounds = quick ? 1 : 3;
  // The simulation records its responses first.
  for (let round = -1; round < rounds; round += 1) {
    report.step(`artists, round ${Math.max(0, round) + 1} of ${rounds}`);
    for (const [each, measured] of starts) {
      if (round < 0 && each.queryMs > 0) continue;
      const one = await start(bench, each);
      if (round >= 0) measured.push(one);
    }
  }
  const valuesOf = (each: Case | undefined, what: keyof Start) =>
    (each && starts.get(each)?.map((one) => one[what])) ?? [];
  report.table(
    'The artist list',
    'The first list of a cold instance, from the start of the process; a second one; then one without gzip, or its status. Times in ms, memory in MiB. The reads are counted by the simulation with 100 ms.',
    [
      ...['artists', 'ms a query', 'first 200', '503 before', 'reads', 'longest pause'],
      ...['second', 'without gzip', 'calls of Firestore then', 'peak memory'],
    ],
    own.map((each) => {
      const of = (what: keyof Start) => figureOf(valuesOf(each, what), 0);
      const { median: status } = of('status');
      return [
        ...[shownNumber(each.count), String(each.queryMs), of('ms'), of('refused')],
        ...[each.queryMs === 0 ? '' : of('reads'), of('pause'), of('second')],
        ...[status === 200 ? of('plain') : String(status), of('calls'), of('peak')],
      ];
    }),
  );
  for (const each of own.filter(({ queryMs }) => queryMs === 100)) {
    const name = `${shownNumber(each.count)} artists at 100 ms a query`;
    const goal = GOALS[each.count];
    if (goal !== undefined) report.aim(`${name}, ms`, figureOf(valuesOf(each, 'ms'), 0), goal);
    report.aim(`${name}, longest pause, ms`, figureOf(valuesOf(each, 'pause'), 0), 100);
    if (each.count !== 50_000) continue;
    report.aim(`${name}, peak memory, MiB`, figureOf(valuesOf(each, 'peak'), 0), 300);
  }
  const later = own.flatMap((each) => valuesOf(each, 'calls'));
  report.aim('calls of Firestore by further requests for artists', figureOf(later, 0), 0);

  const at0 = own.find(({ count, queryMs }) => count === 10_000 && queryMs === 0);
  const [mine, rest, grpc] = [at0, ...others].map((each) => valuesOf(each, 'ms'));
  report.table(
    '10 000 artists beside the SDK',
    'The same start at 0 ms a query, in ms.',
    ['the service', 'the SDK, REST', 'the SDK, gRPC'],
    [[mine, rest, grpc].map((ms = []) => figureOf(ms, 0))],
  );
  const toSdk = ratioToCheaper(mine ?? [], rest ?? [], grpc ?? []);
  report.aim('10 000 artists at 0 ms a query, to the SDK', toSdk, 0.25);
}
