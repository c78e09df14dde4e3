/** Warm requests: their processor time beside the baselines, their reads beside the lower bound, and their price. */
import type { ExampleRequest } from '../../dev/shared/exampleRequests.ts';
import { optionsFor, restore, type Bench, type Measured } from './bench.ts';
import { figureOf, ratioOf } from './figures.ts';
import { OWNER } from './fixtures.ts';
import type { Program } from './programs.ts';
import type { Cell } from './report.ts';
import { serve } from './serving.ts';
import { measureWarm, poolSize, ratioToCheaper, type Rounds } from './warm.ts';

/** A request that stands for all of its kind. */
interface Row {
  readonly name: string;
  readonly measured: Measured;
  /** The goals: processor time to that of the SDK floor and of the limit. */
  readonly toSdk: number;
  readonly toLimit: number;
  /** The documents that the contract makes anybody read and write, by the rules of Firestore's price list. */
  readonly bound: { readonly reads: number; readonly writes: number; readonly because: string };
}

const FLASH = { functionId: 'flash-listByArtist', query: { limit: '20' } };
const RESET = { functionId: 'notifications-resetNewNotifications' };
const GZIP = { 'Accept-Encoding': 'gzip' };
const PAGE = { toSdk: 0.25, toLimit: 2 };
const FIRST = { reads: 21, writes: 0, because: '20 elements, 1 for `total`, which shows the end' };

const ROWS: readonly Row[] = [
  { name: 'flash, first page of 20', measured: FLASH, ...PAGE, bound: FIRST },
  { name: 'the same, gzip', measured: { ...FLASH, headers: GZIP }, ...PAGE, bound: FIRST },
  {
    name: 'flash, later page of 20',
    measured: { ...FLASH, query: { limit: '20', cursor: 'things-19' } },
    ...PAGE,
    bound: {
      ...{ reads: 23, writes: 0 },
      because: '20 elements, 1 for `total`, 1 for the cursor, 1 to know the end',
    },
  },
  {
    name: 'messages, first page of 20',
    measured: { functionId: 'conversations-getMessages', query: { limit: '20' } },
    ...PAGE,
    bound: { reads: 22, writes: 0, because: '20 elements, 1 participant list, 1 to know the end' },
  },
  {
    name: 'mark-as-available, 20 listings',
    measured: { functionId: 'flash-markAsAvailable', size: 20 },
    ...{ toSdk: 0.2, toLimit: 1.5 },
    bound: { reads: 20, writes: 20, because: 'the owner of each, and each' },
  },
  {
    name: 'edit-unavailable-event',
    measured: { functionId: 'unavailableEvents-editUnavailableEvent' },
    ...{ toSdk: 0.3, toLimit: 1.5 },
    bound: { reads: 1, writes: 1, because: 'its owner, and itself' },
  },
  {
    name: 'reset-new-notifications',
    measured: RESET,
    ...{ toSdk: 0.3, toLimit: 1.5 },
    bound: {
      reads: 0,
      writes: 1,
      because: 'a blind write whose condition is that the user exists',
    },
  },
];

/** Firestore's prices in a region of the United States, $ (https://firebase.google.com/docs/firestore/pricing). */
const READ = 0.03 / 100_000;
const WRITE = 0.09 / 100_000;
/** Cloud Run's price of a second of 1 vCPU and 0.5 GiB, $ (https://cloud.google.com/run/pricing). */
const SECOND = 0.000_024 + 0.5 * 0.000_002_5;

/** The calls that the service makes, and what Firestore bills for them. */
async function costOf(bench: Bench, measured: Measured) {
  const { service } = bench.programs;
  await restore(bench);
  await bench.seen();
  const before = await bench.store.usage();
  const options = optionsFor(measured, service, bench, bench.exact);
  await (await serve(service, measured.functionId, options)).stop();
  const after = await bench.store.usage();
  const { passed } = await bench.seen();
  return {
    calls: passed,
    reads: after.reads - before.reads,
    writes: after.writes - before.writes,
  };
}

/** Measures all rows beside the baselines. */
export async function measureRequests(bench: Bench): Promise<void> {
  const { report, programs } = bench;
  const { service, sdkRest, sdkGrpc, express, limit } = programs;
  report.step('noise: the service beside itself');
  const own = { program: service, measured: FLASH };
  const twice = await measureWarm(bench, { service: own, again: own }, ['service', 'again']);
  const noise = ratioOf(twice.service, twice.again);
  const rows: Cell[][] = [
    ['A/A: the service beside itself', figureOf(twice.service), '', '', '', '', '', '', noise],
  ];
  const money: Cell[][] = [];
  let beyondBound = 0;
  for (const { name, measured, toSdk, toLimit, bound } of ROWS) {
    report.step(name);
    const { calls, reads, writes } = await costOf(bench, measured);
    const on = (program: Program) => ({ program, measured });
    const results = await measureWarm(
      bench,
      {
        ...{ service: on(service), sdkRest: on(sdkRest), sdkGrpc: on(sdkGrpc) },
        express: on(express),
        limit: { ...on(limit), env: { BENCH_CALLS: JSON.stringify(calls) } },
      },
      ['service', 'sdkRest', 'sdkGrpc', 'express'],
    );
    const sdk = ratioToCheaper(results.service, results.sdkRest, results.sdkGrpc);
    const beyond = ratioOf(results.service, results.limit);
    rows.push([
      ...[name, ...Object.values(results).map((rounds) => figureOf(rounds))],
      ...[sdk, ratioOf(results.service, results.express), beyond],
    ]);
    report.aim(`${name}, to the limit`, beyond, toLimit);
    report.aim(`${name}, to the SDK`, sdk, toSdk);
    const million = (price: number) => `$${(price * 1e6).toFixed(2)}`;
    const processor = figureOf(
      results.service.map((ms) => ms * 1000 * SECOND),
      3,
    );
    money.push([
      ...[name, `${reads} / ${writes}`, `${bound.reads} / ${bound.writes}: ${bound.because}`],
      ...[million(reads * READ + writes * WRITE), processor],
    ]);
    if (reads > bound.reads || writes > bound.writes) beyondBound += 1;
  }
  report.table(
    'Processor time of an uncached request',
    'In ms, of all threads; ratios are of the service to the others, round by round.',
    [
      ...['request', 'service', 'SDK, REST', 'SDK, gRPC', 'Express', 'limit'],
      ...['to the cheaper SDK', 'to Express', 'to the limit'],
    ],
    rows,
  );
  report.aim('requests beyond the lower bound of reads and writes', figureOf([beyondBound], 0), 0);
  report.table(
    'Money',
    'Of a million uncached requests. Firestore bills documents; Cloud Run the time of instances, of which this is the least: the processor time, without waiting.',
    ['request', 'reads / writes', 'lower bound', 'Firestore', 'processor, $'],
    money,
  );
}

/** What the uncached example leaves out: a cache that misses, tokens that are new, and an instance that is. */
export async function measureDeployed(bench: Bench): Promise<void> {
  const { report, programs } = bench;
  const { service, express } = programs;
  const numbers = Array.from({ length: poolSize(bench) }, (_, index) => index);

  report.step('the cache: a miss');
  const { example } = optionsFor(FLASH, service, bench, bench.replaying);
  const contender = (headers: ExampleRequest['headers'], parameters = {}) => ({
    program: service,
    measured: { ...FLASH, headers, parameters },
    pool: numbers.map((n) => ({
      ...{ ...example, headers },
      path: example.path.replace(OWNER, `alias-${n}`),
    })),
  });
  const misses = await measureWarm(bench, {
    plain: contender({}),
    gzip: contender(GZIP),
    miss: contender(GZIP, { PAGE_CACHE_SECONDS: '10' }),
  });
  report.step('tokens: new and known');
  const uids = numbers.map((n) => `user-${n}`);
  await bench.store.setAll(uids.map((uid) => [`users/${uid}`, { newNotificationsCount: 3 }]));
  const reset = optionsFor(RESET, service, bench, bench.replaying).example;
  const pool = (await bench.tokensOf(uids)).map((token) => ({
    ...reset,
    headers: { ...reset.headers, Authorization: `Bearer ${token}` },
  }));
  const tokens = await measureWarm(bench, {
    known: { program: service, measured: RESET },
    fresh: { program: service, measured: RESET, pool },
    expressKnown: { program: express, measured: RESET },
    expressFresh: { program: express, measured: RESET, pool },
  });
  const { known, fresh, expressKnown, expressFresh } = tokens;
  const rows: readonly [name: string, usual: Rounds, deployed: Rounds, goal?: number][] = [
    ['the service, page, a miss for a request with gzip', misses.gzip, misses.miss, 1.15],
    ['the service, page, a miss for a request without gzip', misses.plain, misses.miss, 1.15],
    ['the service, reset, a new token for a known one', known, fresh, 1.5],
    ['Express, reset, a new token for a known one', expressKnown, expressFresh],
  ];
  report.table(
    'What is deployed',
    'Processor time in ms. Each request with a miss is for another artist, each with a new token from another user.',
    ['in place of an uncached request, or of a known token', 'before', 'then', 'ratio'],
    rows.map(([name, usual, deployed]) => [
      ...[name, figureOf(usual), figureOf(deployed), ratioOf(deployed, usual)],
    ]),
  );
  for (const [name, usual, deployed, goal] of rows) {
    if (goal !== undefined) report.aim(name, ratioOf(deployed, usual), goal);
  }
}
