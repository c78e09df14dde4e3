/** Warm, uncached requests: processor time, throughput and latency, compared with the baselines. */
import type { Bench, Measured } from './bench.ts';
import { shown } from './figures.ts';
import { cheaper, measureWarm, of, OPEN_LOOPS, ratio, type Warm } from './warm.ts';

/** A row, and its goal relative to the processor time of the floor. */
interface Row {
  readonly name: string;
  readonly measured: Measured;
  readonly toFloor: number;
  /** Whether a quick run measures it. */
  readonly quick?: true;
}

const PAGE = { query: { limit: '20' } };
const SIZE = { size: 20 };
const LISTS = 0.35;
const ONE_DOCUMENT = 0.5;

const ROWS: readonly Row[] = [
  {
    name: 'flash, first page of 20',
    measured: { functionId: 'flash-listByArtist', ...PAGE },
    ...{ toFloor: LISTS, quick: true },
  },
  {
    name: 'flash, first page of 20, compressed',
    measured: {
      ...{ functionId: 'flash-listByArtist', ...PAGE },
      headers: { 'Accept-Encoding': 'gzip' },
    },
    toFloor: LISTS,
  },
  {
    name: 'flash, later page of 20',
    measured: {
      functionId: 'flash-listByArtist',
      query: { limit: '20', cursor: 'things-19' },
    },
    toFloor: LISTS,
  },
  {
    name: 'gallery, first page of 20',
    measured: { functionId: 'gallery-listByArtist', ...PAGE },
    toFloor: LISTS,
  },
  {
    name: 'messages, first page of 20',
    measured: { functionId: 'conversations-getMessages', ...PAGE },
    ...{ toFloor: LISTS, quick: true },
  },
  {
    name: 'mark-as-available, 20 ids',
    measured: { functionId: 'flash-markAsAvailable', ...SIZE },
    ...{ toFloor: LISTS, quick: true },
  },
  {
    name: 'reorder, 20 listings',
    measured: { functionId: 'flash-reorder', ...SIZE },
    toFloor: LISTS,
  },
  {
    name: 'remove-photos, 20 ids',
    measured: { functionId: 'gallery-removePhotos', ...SIZE },
    toFloor: LISTS,
  },
  {
    name: 'update-availability',
    measured: { functionId: 'availability-updateAvailability' },
    toFloor: ONE_DOCUMENT,
  },
  {
    name: 'edit-unavailable-event',
    measured: { functionId: 'unavailableEvents-editUnavailableEvent' },
    ...{ toFloor: ONE_DOCUMENT, quick: true },
  },
  {
    name: 'delete-session',
    measured: { functionId: 'bookings-deleteSession' },
    toFloor: ONE_DOCUMENT,
  },
  {
    name: 'reset-new-notifications',
    measured: { functionId: 'notifications-resetNewNotifications' },
    ...{ toFloor: 0.7, quick: true },
  },
];

const TO_LIMIT = 1.5;
const TO_EXPRESS = 0.5;

/** Measures each row, and prints processor time, throughput and latency in two tables. */
export async function measureRequests(bench: Bench): Promise<void> {
  const { report, quick, programs } = bench;
  const { service, floorRest, floorGrpc, express, limit } = programs;
  const processor: string[][] = [];
  const throughput: string[][] = [];
  await measureNoise(bench, processor);
  for (const { name, measured, toFloor } of ROWS.filter((row) => !quick || row.quick)) {
    report.step(name);
    const contest = { service, floorRest, floorGrpc, express, limit };
    const results = await measureWarm(bench, measured, contest, [
      ...(['service', 'floorRest', 'floorGrpc', 'express'] as const),
    ]);
    const floor = cheaper(results, 'floorRest', 'floorGrpc');
    const ms = (warm: Warm) => of(warm, 'processorMs').median;
    const own = ms(results.service);
    const beside = (warm: Warm) => {
      const { median, spread } = ratio(results.service, warm, 'processorMs');
      const [lower, upper] = spread.map((each) => each.toFixed(2));
      const difference = (own - ms(warm)).toFixed(2);
      return `${ms(warm).toFixed(2)}: ${difference}, ${median.toFixed(2)} (${lower} to ${upper})`;
    };
    processor.push([
      ...[name, shown(of(results.service, 'processorMs'), 2)],
      `${floor === 'floorRest' ? 'REST' : 'gRPC'} ${beside(results[floor])}`,
      ms(results[floor === 'floorRest' ? 'floorGrpc' : 'floorRest']).toFixed(2),
      ...[beside(results.express), beside(results.limit)],
      String(results.service.slices.length),
    ]);
    for (const program of ['service', floor, 'express', 'limit'] as const) {
      throughput.push([name, program, ...timesOf(results[program])]);
    }
    report.figure(`warm ${name}`, summary(results));
    const toOther = (warm: Warm) => ratio(results.service, warm, 'processorMs').median;
    report.aim(
      `${name}, processor time to the SDK floor`,
      toOther(results[floor]),
      'at most',
      toFloor,
    );
    report.aim(`${name}, to the limit`, toOther(results.limit), 'at most', TO_LIMIT);
    report.aim(`${name}, to Express by hand`, toOther(results.express), 'at most', TO_EXPRESS);
  }
  report.table(
    'Processor time of an uncached request, ms; for baselines also the difference and the ratio (quartiles)',
    [
      [
        ...['request', 'service (quartiles)', 'SDK floor', 'its other transport'],
        ...['Express by hand', 'limit', 'rounds'],
      ],
      ...processor,
    ],
  );
  report.table('Throughput and latency of the same requests', [TIMES, ...throughput]);
}

/** Compares the service with a second process of itself: the deviation from 1 is noise. */
async function measureNoise(bench: Bench, processor: string[][]): Promise<void> {
  const { report, programs } = bench;
  report.step('noise: the service beside itself');
  const measured = { functionId: 'flash-listByArtist', ...PAGE };
  const { service } = programs;
  const contest = { service, again: service };
  const results = await measureWarm(bench, measured, contest, ['service', 'again']);
  const noise = ratio(results.service, results.again, 'processorMs');
  processor.push([
    'A/A: flash, first page, the service beside itself',
    shown(of(results.service, 'processorMs'), 2),
    `${of(results.again, 'processorMs').median.toFixed(2)}: ratio ${shown(noise, 2)}`,
    ...['', '', ''],
    String(results.service.slices.length),
  ]);
  report.figure('A/A', { ...summary(results), ratio: noise });
}

/** The columns of `timesOf`. */
export const TIMES = [
  ...['request', 'program', 'requests a second (quartiles)', 'p50 / p99, ms'],
  ...OPEN_LOOPS.map((part) => `open loop at ${part * 100} %: p50 / p99, ms`),
  'peak MiB',
];

/** Throughput, latency and memory of a program. */
export function timesOf(warm: Warm): string[] {
  const times = (p50: number, p99: number) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`;
  return [
    shown(of(warm, 'perSecond')),
    times(of(warm, 'p50').median, of(warm, 'p99').median),
    ...OPEN_LOOPS.map((_part, index) => {
      const open = warm.open[index];
      return open === undefined ? 'not measured' : times(open.p50, open.p99);
    }),
    warm.peakMiB.toFixed(0),
  ];
}

/** The values of programs in the JSON. */
export function summary(results: Readonly<Record<string, Warm>>): object {
  return Object.fromEntries(
    Object.entries(results).map(([name, warm]) => [
      name,
      {
        processorMs: of(warm, 'processorMs'),
        perSecond: of(warm, 'perSecond'),
        p50: of(warm, 'p50'),
        p99: of(warm, 'p99'),
        open: warm.open,
        peakMiB: warm.peakMiB,
        rounds: warm.slices.length,
      },
    ]),
  );
}
