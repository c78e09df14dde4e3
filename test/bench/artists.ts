/** The first list of all artists that a cold instance reads, with few and with many artists. */
import { Store } from '../emulator/firestore/store.ts';
import { storedArtist } from '../support/factories.ts';
import { optionsFor, type Bench } from './bench.ts';
import { figureOf, shown } from './figures.ts';
import { PROJECT } from './google.ts';
import { memoryOf, serve } from './serving.ts';

const FUNCTION = 'artists-list';
const COUNTS = [10, 1000, 10_000];

/** Stores a number of artists; each number has a separate project. */
export async function storeArtists(bench: Bench, count: number): Promise<string> {
  const projectId = count === 10 ? PROJECT : `${PROJECT}-${count}`;
  const artists = Array.from({ length: count }, (_, index) => {
    const id = `artist-${String(index).padStart(6, '0')}`;
    return [`users/${id}`, storedArtist()] as const;
  });
  await new Store(bench.google.firestoreAddress, projectId).setAll(artists);
  return projectId;
}

interface Start {
  readonly ms: number;
  readonly peakMiB: number;
  readonly pauseMs: number;
}

export async function measureArtists(bench: Bench): Promise<void> {
  const { programs, google, report, quick } = bench;
  const { service, floorRest, floorGrpc, limit } = programs;
  const contest = {
    'the service': service,
    'the SDK, REST': floorRest,
    'the SDK, gRPC': floorGrpc,
    'the limit': limit,
  };
  const rows: string[][] = [];
  for (const count of quick ? [10, 1000] : COUNTS) {
    report.step(`the list of ${count} artists`);
    const GCLOUD_PROJECT = await storeArtists(bench, count);
    const starts = new Map(Object.keys(contest).map((name) => [name, [] as Start[]]));
    // The first round is not counted: the simulation forwards its calls to the database.
    for (let round = -1; round < (quick ? 2 : 5); round += 1) {
      for (const [name, program] of Object.entries(contest)) {
        const parameters = { GCLOUD_PROJECT, DEADLINE_SECONDS: '30' };
        const options = optionsFor({ functionId: FUNCTION, parameters }, program, google.replaying);
        const served = await serve(program, FUNCTION, { ...options, pauses: true });
        const start = {
          ms: served.coldMs,
          peakMiB: (await memoryOf(served.pid)).peak,
          pauseMs: await served.longestPause(),
        };
        await served.stop();
        if (round >= 0) starts.get(name)?.push(start);
      }
    }
    const of = (name: string, what: keyof Start) =>
      figureOf((starts.get(name) ?? []).map((start) => start[what]));
    for (const name of Object.keys(contest)) {
      rows.push([
        ...[String(count), name, shown(of(name, 'ms'))],
        ...[of(name, 'peakMiB').median.toFixed(0), of(name, 'pauseMs').median.toFixed(0)],
      ]);
      report.figure(`${count} artists, ${name}`, {
        ms: of(name, 'ms'),
        peakMiB: of(name, 'peakMiB'),
        pauseMs: of(name, 'pauseMs'),
      });
    }
    if (count !== 10_000) continue;
    const sdk = Math.min(of('the SDK, REST', 'ms').median, of('the SDK, gRPC', 'ms').median);
    const own = 'the service';
    const what = `${count} artists, cold`;
    report.aim(`${what}, to the SDK’s time`, of(own, 'ms').median / sdk, 'at most', 0.2);
    report.aim(`${what}, longest pause, ms`, of(own, 'pauseMs').median, 'at most', 100);
    report.aim(`${what}, peak memory, MiB`, of(own, 'peakMiB').median, 'at most', 200);
  }
  report.table('GET /artists: the first response of a cold instance', [
    ['artists', 'program', 'ms (quartiles)', 'peak memory, MiB', 'longest pause, ms'],
    ...rows,
  ]);
}
