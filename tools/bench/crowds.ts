/** Crowds of callers, on a warm instance and on a cold one. */
import { storedDocument } from '../../demo/exampleDocuments.ts';
import { PAGE, requestOf, restore, type Bench, type Measured } from './bench.ts';
import { figureOf } from './figures.ts';
import { load, type LoadResult } from './load.ts';
import type { Program } from './programs.ts';
import type { Cell } from './report.ts';
import { peakMemoryOf, serve, start } from './serving.ts';

/** The deployed concurrency, and the largest that `CONCURRENCY` allows. */
const [DEPLOYED, LARGEST] = [80, 250];

/** How long slow readers let a response wait, in ms. */
const PAUSE_MS = 3000;

/** A crowd of callers. */
interface Crowd {
  readonly name: string;
  readonly measured: Measured;
  readonly callers: number;
  /** Whether they accept no gzip, and read only when the last response has begun, and `PAUSE_MS` later. */
  readonly isSlow?: boolean;
}

const CROWDS: readonly Crowd[] = [
  { name: 'page', measured: PAGE, callers: DEPLOYED },
  { name: 'page', measured: PAGE, callers: LARGEST },
  largePage(50, DEPLOYED),
  largePage(300, 40),
  largePage(900, 8),
  { ...largePage(100, DEPLOYED), name: '50 listings of 100 kB, read slowly', isSlow: true },
  {
    name: 'delete-session',
    measured: { functionId: 'bookings-deleteSession' },
    callers: DEPLOYED,
  },
];

/** The requests of a cold burst, and how many calls of Firestore each makes in turn. */
const BURSTS: readonly (readonly [string, Measured, calls: number])[] = [
  ['page', PAGE, 1],
  ['get-messages', { functionId: 'conversations-getMessages', query: { limit: '50' } }, 2],
];

/** The time of a call of Firestore in a cold burst, in s. */
const CALL_SECONDS = [0.3, 1, 2, 3];

/** A crowd on a page of 50 listings of this size, in kB. */
function largePage(size: number, callers: number): Crowd {
  const measured = { ...PAGE, owner: `artist-${size}`, query: { limit: '50' } };
  return { name: `50 listings of ${size} kB`, measured, callers };
}

function isLarge({ owner }: Measured): boolean {
  return owner !== undefined;
}

/** Stores the listings of a large page, one by one: a commit may have 10 MiB. */
async function storeListings({ google }: Bench, size: number): Promise<void> {
  const notes = 'Fine lines. '.repeat((size * 1000) / 12);
  for (let order = 0; order < 50; order += 1) {
    const listing = { artistId: `artist-${size}`, order, notes };
    await google.store.set(`flash/${size}-${order}`, storedDocument('flash', listing));
  }
}

/** Measures crowds in a closed loop, then those that find a cold instance. */
export async function measureCrowds(bench: Bench): Promise<void> {
  const { report, quick, programs } = bench;
  const { service, sdkGrpc } = programs;
  const compared = [
    ['the service', service],
    ['SDK, gRPC', sdkGrpc],
  ] as const;
  const rows: Cell[][] = [];
  await restore(bench);
  for (const size of quick ? [] : [50, 100, 300, 900]) await storeListings(bench, size);
  for (const crowd of quick ? CROWDS.slice(0, 1) : CROWDS) {
    const { name, callers, measured } = crowd;
    for (const [programName, program] of isLarge(measured) ? compared.slice(0, 1) : compared) {
      report.step(`${name}: ${callers} callers, ${programName}`);
      const { rounds, memory } = await measureCrowd(bench, program, crowd);
      const of = (what: keyof LoadResult) =>
        figureOf(
          rounds.map((each) => each[what]),
          0,
        );
      const peak = figureOf([memory], 0);
      const failed = of('failed');
      const { text } = of('perSecond');
      const perSecond = failed.median === 0 ? text : `${text}, failed: ${failed.text}`;
      rows.push([name, String(callers), programName, memory === Infinity ? '' : perSecond, peak]);
      if (program !== service) continue;
      const aim = `${name}, ${callers} callers:`;
      if (!isLarge(measured)) report.aim(`${aim} failed`, failed, 0);
      report.aim(`${aim} peak memory, MiB`, peak, isLarge(measured) ? 448 : 400);
    }
  }
  report.table(
    'How many callers does an instance serve?',
    `Each caller sends its next request when it has a response. The instance has served 100 requests for small documents before. The service shortens pages of large ones. Memory in MiB.`,
    ['request', 'callers', 'program', 'a second', 'peak memory'],
    rows,
  );
  await measureBursts(bench);
}

/** Measures a crowd on an instance that has served 100 requests for small documents. */
async function measureCrowd(
  bench: Bench,
  program: Program,
  { measured, callers, isSlow = false }: Crowd,
): Promise<{ readonly rounds: LoadResult[]; readonly memory: number }> {
  const served = await serve(bench, program, isLarge(measured) ? PAGE : measured);
  for (let tens = 0; tens < 10; tens += 1) await load(served, 10, 0);
  const example = requestOf(bench, measured);
  const headers = { ...example.headers, ...(isSlow && { 'Accept-Encoding': 'identity' }) };
  const sent = { port: served.port, example: { ...example, headers } };
  const [ms, pauseMs] = isSlow ? [0, PAUSE_MS] : [bench.quick ? 300 : 1500, 0];
  const rounds: LoadResult[] = [];
  for (let round = 0; round < (isLarge(measured) ? 1 : 3); round += 1) {
    rounds.push(await load(sent, callers, ms, pauseMs));
  }
  const memory = await peakMemoryOf(served.pid);
  await served.stop();
  return { rounds, memory };
}

/** Measures as many callers as the platform sends, at once, on processes that have served nothing. */
async function measureBursts(bench: Bench): Promise<void> {
  const { report, quick, google, programs } = bench;
  for (const [name, measured, calls] of BURSTS) {
    const ratios: number[] = [];
    let failed = 0;
    for (const seconds of quick ? CALL_SECONDS.slice(0, 1) : CALL_SECONDS) {
      google.slowDown(seconds * 1000);
      report.step(`cold burst: ${name}, ${seconds} s a call`);
      const started = await start(bench, programs.service, measured);
      const example = requestOf(bench, measured);
      const result = await load({ port: started.port, example }, DEPLOYED, 0);
      await started.stop();
      ratios.push(result.p50 / (1500 * calls * seconds + 800));
      failed += result.failed;
    }
    report.aim(`cold burst, ${name}: failed`, figureOf([failed], 0), 0);
    const worst = figureOf([Math.max(...ratios)]);
    report.aim(`cold burst, ${name}: p50 to 1.5 times its calls and 0.8 s`, worst, 1);
  }
  google.slowDown(0);
}
