/** Warm requests: their processor time beside the baselines, and what Firestore bills for them. */
import { optionsFor, restore, type Bench, type Measured } from './bench.ts';
import { figureOf, ratioOf } from './figures.ts';
import type { Cell } from './report.ts';
import { serve } from './serving.ts';
import { measureWarm } from './warm.ts';

/** A request that stands for all of its kind. */
interface Row {
  readonly name: string;
  readonly measured: Measured;
  /** The goal: processor time to that of the SDK. */
  readonly toSdk?: number;
  /** The documents that the contract makes anybody read and write, by the rules of Firestore's price list. */
  readonly bound: { readonly reads: number; readonly writes: number; readonly because: string };
}

const FLASH = { functionId: 'flash-listByArtist', query: { limit: '20' } };

const ROWS: readonly Row[] = [
  {
    name: 'flash, first page of 20',
    measured: FLASH,
    toSdk: 0.4,
    bound: { reads: 21, writes: 0, because: '20 elements, 1 for `total`, which shows the end' },
  },
  {
    name: 'flash, later page of 20',
    measured: { ...FLASH, query: { limit: '20', cursor: 'things-19' } },
    toSdk: 0.4,
    bound: {
      ...{ reads: 23, writes: 0 },
      because: '20 elements, 1 for `total`, 1 for the cursor, 1 to know the end',
    },
  },
  {
    name: 'messages, first page of 20',
    measured: { functionId: 'conversations-getMessages', query: { limit: '20' } },
    bound: { reads: 22, writes: 0, because: '20 elements, 1 participant list, 1 to know the end' },
  },
  {
    name: 'mark-as-available, 20 listings',
    measured: { functionId: 'flash-markAsAvailable', size: 20 },
    toSdk: 0.4,
    bound: { reads: 20, writes: 20, because: 'the owner of each, and each' },
  },
  {
    name: 'reset-new-notifications',
    measured: { functionId: 'notifications-resetNewNotifications' },
    bound: {
      ...{ reads: 0, writes: 1 },
      because: 'a blind write whose condition is that the user exists',
    },
  },
];

/** Firestore's prices in a region of the United States, $ (https://firebase.google.com/docs/firestore/pricing). */
const READ = 0.03 / 100_000;
const WRITE = 0.09 / 100_000;
/** Cloud Run's price of a second of 1 vCPU and 0.5 GiB, $ (https://cloud.google.com/run/pricing). */
const SECOND = 0.000_024 + 0.5 * 0.000_002_5;

/** What Firestore bills for a request to the service. */
async function billed(bench: Bench, measured: Measured) {
  const { service } = bench.programs;
  await restore(bench);
  const before = await bench.store.usage();
  const options = optionsFor(measured, service, bench, bench.exact);
  await (await serve(service, measured.functionId, options)).stop();
  const after = await bench.store.usage();
  return { reads: after.reads - before.reads, writes: after.writes - before.writes };
}

function dollars(value: number): string {
  return `$${value.toFixed(2)}`;
}

/** Measures all rows beside the baselines. */
export async function measureRequests(bench: Bench): Promise<void> {
  const { report, programs } = bench;
  const { service, sdkRest, sdkGrpc, express } = programs;
  report.step('noise: the service beside itself');
  const twice = await measureWarm(bench, FLASH, { service, again: service });
  const noise = ratioOf(twice.service, twice.again);
  const times: Cell[][] = [
    ['flash, the service beside itself', figureOf(twice.service), '', '', '', noise, ''],
  ];
  const prices: Cell[][] = [];
  for (const { name, measured, toSdk, bound } of ROWS) {
    report.step(name);
    const compared = { service, sdkRest, sdkGrpc, express };
    const results = await measureWarm(bench, measured, compared);
    const [rest, grpc] = [figureOf(results.sdkRest), figureOf(results.sdkGrpc)];
    const cheaper = rest.median <= grpc.median ? results.sdkRest : results.sdkGrpc;
    const toCheaper = ratioOf(results.service, cheaper);
    times.push([
      ...[name, figureOf(results.service), rest, grpc, figureOf(results.express)],
      ...[toCheaper, ratioOf(results.service, results.express)],
    ]);
    if (toSdk !== undefined) report.aim(`${name}, to the SDK`, toCheaper, toSdk);
    const { reads, writes } = await billed(bench, measured);
    const processor = (rounds: readonly number[]) =>
      dollars(figureOf(rounds).median * 1e3 * SECOND);
    prices.push([
      ...[name, `${reads} / ${writes}`, `${bound.reads} / ${bound.writes}: ${bound.because}`],
      dollars((reads * READ + writes * WRITE) * 1e6),
      `${processor(results.service)}, ${processor(cheaper)}`,
    ]);
  }
  report.table(
    'What does a request take?',
    'Processor time of an uncached request in ms, of all threads; ratios are of the service to the others, round by round.',
    ['request', 'service', 'SDK, REST', 'SDK, gRPC', 'Express', 'to the cheaper SDK', 'to Express'],
    times,
  );
  report.table(
    'What does it cost?',
    'A million uncached requests: what Firestore bills, which is the same for the SDK, and the processor time on Cloud Run, of the service and of the cheaper SDK.',
    ['request', 'reads / writes', 'lower bound', 'Firestore', 'processor'],
    prices,
  );
}
