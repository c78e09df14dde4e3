/** Requests served from the instance's cache, compared with the SDK floor, which reads Firestore each time. */
import type { Bench, Measured } from './bench.ts';
import { shown } from './figures.ts';
import { summary, TIMES, timesOf } from './requests.ts';
import { cheaper, measureWarm, of, ratio } from './warm.ts';

/** The parameters' own defaults. */
const CACHED = { PAGE_CACHE_SECONDS: '10', PUBLIC_CACHE_SECONDS: '60' };

const ROWS: Readonly<Record<string, Measured>> = {
  'flash, first page of 20': {
    functionId: 'flash-listByArtist',
    query: { limit: '20' },
    parameters: CACHED,
  },
  'the list of 10 artists': { functionId: 'artists-list', parameters: CACHED },
};

const TIMES_THE_FLOOR = 15;

export async function measureCached(bench: Bench): Promise<void> {
  const { report, programs, google } = bench;
  const { service, floorRest, floorGrpc } = programs;
  const rows: string[][] = [];
  const throughput: string[][] = [];
  for (const [name, measured] of Object.entries(ROWS)) {
    report.step(`cached: ${name}`);
    // The service runs separately first, so that its reads can be counted.
    const before = await google.calls();
    const alone = await measureWarm(bench, measured, { service }, ['service']);
    const calls = (await google.calls()) - before;
    const requests = alone.service.slices.reduce((sum, slice) => sum + slice.requests, 0);
    const contest = { service, floorRest, floorGrpc };
    const comparable = ['service', 'floorRest', 'floorGrpc'] as const;
    const results = await measureWarm(bench, measured, contest, comparable);
    const floor = cheaper(results, 'floorRest', 'floorGrpc');
    const times = ratio(results.service, results[floor], 'perSecond');
    rows.push([
      name,
      shown(of(results.service, 'processorMs'), 3),
      of(results[floor], 'processorMs').median.toFixed(2),
      ...[shown(of(results.service, 'perSecond')), shown(times, 1)],
      `${calls} for ${requests} and more`,
    ]);
    for (const program of ['service', floor] as const) {
      throughput.push([name, program, ...timesOf(results[program])]);
    }
    report.figure(`cached ${name}`, { ...summary(results), calls, requests });
    if (measured.functionId !== 'flash-listByArtist') continue;
    report.aim(
      'a cached page, throughput to the uncached SDK floor',
      times.median,
      'at least',
      TIMES_THE_FLOOR,
    );
    // A cached page is refreshed after three quarters of its 10 s, with two calls.
    report.aim('calls of Firestore for 1000 cached pages', (calls / requests) * 1000, 'at most', 5);
  }
  report.table('Cached in the instance, without reads', [
    [
      ...['request', 'processor time, ms (quartiles)', 'SDK floor, uncached'],
      ...['requests a second', 'to the SDK floor’s', 'calls of Firestore in all'],
    ],
    ...rows,
  ]);
  report.table('Throughput and latency of the same requests', [TIMES, ...throughput]);
}
