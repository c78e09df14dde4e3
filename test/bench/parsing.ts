/** How much of a page's processor time is parsing and serializing JSON: what a page needs beyond the limit, which copies it. */
import type { Bench, Measured } from './bench.ts';
import { shown } from './figures.ts';
import { summary } from './requests.ts';
import { measureWarm, of, ratio } from './warm.ts';

const ROWS: Readonly<Record<string, Measured>> = {
  'flash, first page of 20': { functionId: 'flash-listByArtist', query: { limit: '20' } },
  'gallery, first page of 20': { functionId: 'gallery-listByArtist', query: { limit: '20' } },
  'messages, first page of 20': { functionId: 'conversations-getMessages', query: { limit: '20' } },
};

/** Measures pages beside the limit, and beside a limit that also parses and serializes. */
export async function measureParsing(bench: Bench): Promise<void> {
  const { report, quick, programs } = bench;
  const { service, limit, limitParsed } = programs;
  const rows: string[][] = [];
  for (const [name, measured] of Object.entries(ROWS).slice(0, quick ? 1 : undefined)) {
    report.step(`${name}: the limit with parsing`);
    const results = await measureWarm(bench, measured, { service, limit, limitParsed }, [
      'service',
    ]);
    const to = (one: keyof typeof results, other: keyof typeof results) =>
      shown(ratio(results[one], results[other], 'processorMs'), 2);
    rows.push([
      name,
      ...[results.limit, results.limitParsed, results.service].map((warm) =>
        of(warm, 'processorMs').median.toFixed(2),
      ),
      ...[to('limitParsed', 'limit'), to('service', 'limitParsed')],
    ]);
    report.figure(`parsing ${name}`, summary(results));
  }
  report.table('What parsing and serializing Firestore’s JSON takes of a page, ms', [
    [
      'request',
      'limit',
      'limit that parses',
      'service',
      'limit that parses / limit',
      'service / limit that parses',
    ],
    ...rows,
  ]);
}
