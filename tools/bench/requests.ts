/** Warm requests: their processor time beside the Admin SDK. */
import type { Bench, Measured } from './bench.ts';
import { figureOf, ratioOf } from './figures.ts';
import type { Cell } from './report.ts';
import { measureWarm } from './warm.ts';

/** A request that stands for all of its kind. */
interface Row {
  readonly name: string;
  readonly measured: Measured;
  /** The goal: processor time to that of the SDK. */
  readonly atMost?: number;
}

const PAGE: Measured = { functionId: 'flash-listByArtist', query: { limit: '20' } };

const ROWS: readonly Row[] = [
  { name: 'flash, first page of 20', measured: PAGE, atMost: 0.4 },
  {
    name: 'flash, later page of 20',
    measured: { ...PAGE, query: { limit: '20', cursor: 'things-19' } },
    atMost: 0.4,
  },
  {
    name: 'mark-as-available, 20 listings',
    measured: { functionId: 'flash-markAsAvailable', size: 20 },
    atMost: 0.4,
  },
  { name: 'delete-session', measured: { functionId: 'bookings-deleteSession' } },
];

/** Measures all rows beside the SDK over each of its transports. */
export async function measureRequests(bench: Bench): Promise<void> {
  const { report, programs } = bench;
  const { service, sdkRest, sdkGrpc } = programs;
  report.step('noise: the service beside itself');
  const [one = [], other = []] = await measureWarm(bench, PAGE, [service, service]);
  const rows: Cell[][] = [
    ['flash, the service beside itself', figureOf(one), '', '', ratioOf(one, other)],
  ];
  for (const { name, measured, atMost } of ROWS) {
    report.step(name);
    const compared = await measureWarm(bench, measured, [service, sdkRest, sdkGrpc]);
    const [ours = [], ...ofSdk] = compared;
    const [cheaper = []] = ofSdk.toSorted((a, b) => figureOf(a).median - figureOf(b).median);
    const ratio = ratioOf(ours, cheaper);
    rows.push([name, ...compared.map((rounds) => figureOf(rounds)), ratio]);
    if (atMost !== undefined) report.aim(`${name}, to the SDK`, ratio, atMost);
  }
  report.table(
    'What does a request take?',
    'Processor time of an uncached request in ms, of all threads; ratios are computed round by round.',
    ['request', 'service', 'SDK, REST', 'SDK, gRPC', 'to the cheaper SDK'],
    rows,
  );
}
