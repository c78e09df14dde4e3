/** Instances that are new. */
import { PAGE, restore, type Bench, type Measured } from './bench.ts';
import { figureOf, ratioOf } from './figures.ts';
import type { Program } from './programs.ts';
import { peakMemoryOf, serve } from './serving.ts';
import type { Environment } from './simulation.ts';

/** The start of a program: from its process to its first 200. */
interface Start {
  readonly program: Program;
  readonly measured: Measured;
  readonly environment?: Environment;
}

/** Starts programs in turn; adds the times in ms and the peaks of memory in MiB, of each round. */
async function measureStarts<Each extends Start>(
  bench: Bench,
  what: string,
  rounds: number,
  starts: readonly Each[],
) {
  const measured = starts.map((each) => ({ ...each, ms: [] as number[], peak: [] as number[] }));
  // The first start of each is not counted: its files and the simulation's responses are not cached yet.
  for (let round = 0; round <= rounds; round += 1) {
    bench.report.step(`${what}, round ${round} of ${rounds}`);
    for (const { program, measured: request, environment, ms, peak } of measured) {
      const { coldMs, pid, stop } = await serve(bench, program, request, environment);
      const memory = await peakMemoryOf(pid);
      await stop();
      if (round === 0) continue;
      ms.push(coldMs);
      peak.push(memory);
    }
  }
  return measured;
}

/** Measures starts that end with a page or a mark. All but the bare framework have called Firestore by then. */
export async function measureCold(bench: Bench): Promise<void> {
  const { quick, report, programs } = bench;
  const { bare, service, sdkRest, sdkGrpc } = programs;
  await restore(bench);
  const mark: Measured = { functionId: 'flash-markAsAvailable', size: 3 };
  const starts = await measureStarts(bench, 'cold start', quick ? 2 : 15, [
    { name: 'the bare framework', program: bare, measured: PAGE, environment: {} },
    { name: 'the service, a page', program: service, measured: PAGE, atMost: 1.55 },
    { name: 'the service, mark-as-available', program: service, measured: mark },
    { name: 'the SDK over REST, a page', program: sdkRest, measured: PAGE },
    { name: 'the SDK over gRPC, a page', program: sdkGrpc, measured: PAGE },
  ]);
  const bareMs = starts[0]?.ms ?? [];
  report.table(
    'How long does a cold start take?',
    'From the start of the process to its first 200, in ms, and its peak of memory, in MiB.',
    ['program', 'ms', 'to the bare framework', 'memory'],
    starts.map(({ name, atMost, ms, peak }) => {
      const toBare = ratioOf(ms, bareMs);
      if (atMost !== undefined) report.aim(`cold start of ${name}`, toBare, atMost);
      return [name, figureOf(ms, 0), toBare, figureOf(peak, 0)];
    }),
  );
}

/** A list of artists, and the goals. */
interface ArtistList {
  readonly name: string;
  readonly stored: Environment;
  readonly maxMs?: number;
  readonly maxMemory?: number;
}

/** Measures starts that end with the artist list. */
export async function measureArtists(bench: Bench): Promise<void> {
  const { quick, report, programs, google } = bench;
  const kinds: readonly ArtistList[] = [
    { name: '1 000', stored: google.withArtists(1000) },
    { name: '25 000', stored: google.withArtists(25_000), maxMs: 4000, maxMemory: 300 },
    {
      name: '100, then 1 500 of 100 kB',
      ...{ stored: google.withArtists(1600, true), maxMemory: 448 },
    },
  ];
  const starts = (quick ? kinds.slice(0, 1) : kinds).map((list) => ({
    ...{ ...list, program: programs.service, measured: { functionId: 'artists-list' } },
    environment: { ...list.stored, PUBLIC_CACHE_SECONDS: '300' },
  }));
  const rows = await measureStarts(bench, 'artists', quick ? 1 : 3, starts);
  report.table(
    'How long does the artist list take?',
    'The first list of a cold instance, with 100 ms a query. Times in ms, memory in MiB.',
    ['artists', 'first 200', 'peak memory'],
    rows.map(({ name, maxMs, maxMemory, ...each }) => {
      const [ms, peak] = [figureOf(each.ms, 0), figureOf(each.peak, 0)];
      if (maxMs !== undefined) report.aim(`${name} artists, ms`, ms, maxMs);
      if (maxMemory !== undefined) report.aim(`${name} artists, peak memory, MiB`, peak, maxMemory);
      return [name, ms, peak];
    }),
  );
}
