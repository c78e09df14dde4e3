import { storeExampleWorld, type ExampleWorld } from '../support/exampleRequests.ts';
import type { User } from './google.ts';
import { optionsFor, type Bench, type Measured } from './bench.ts';
import { serve } from './serving.ts';

/** The owner of the requested documents. */
type World = ExampleWorld & { readonly uid: User };

/** Enough documents for a page that is far from the first. */
const LARGE: World = { uid: 'artist-large', prefix: 'large', size: 1100 };

/** The cost of requests of several sizes, compared with its lower bound. */
export async function measureCost(bench: Bench): Promise<void> {
  const { report, programs, google, store, quick } = bench;
  report.step('cost of pages and of lists of ids');
  await storeExampleWorld(store, LARGE);
  const rows: string[][] = [];
  let beyond = 0;

  async function measure(what: string, measured: Measured, world: World, least: string) {
    const before = await store.usage();
    const options = optionsFor(measured, programs.service, google.exact, world);
    const served = await serve(programs.service, measured.functionId, options);
    await served.stop();
    const after = await store.usage();
    const calls = Object.entries(after.calls)
      .map(([name, count]) => [name, count - (before.calls[name] ?? 0)] as const)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${name} ${count}`);
    const used = [
      after.reads - before.reads,
      after.writes - before.writes,
      after.deletes - before.deletes,
    ];
    const cost = used.join(' / ');
    if (cost !== least) beyond += 1;
    rows.push([measured.functionId, what, cost, least, calls.join(', ')]);
  }

  const limits = quick ? [20] : [1, 20, 50];
  for (const functionId of ['flash-listByArtist', 'gallery-listByArtist']) {
    for (const size of limits) {
      const limit = String(size);
      const first = { functionId, query: { limit } };
      await measure(`first page of ${size}`, first, LARGE, `${size + 2} / 0 / 0`);
      const later = { functionId, query: { limit, cursor: 'large-999' } };
      await measure(`page of ${size} at depth 1000`, later, LARGE, `${size + 4} / 0 / 0`);
    }
  }
  for (const size of limits) {
    const first = { functionId: 'conversations-getMessages', query: { limit: String(size) } };
    await measure(`first page of ${size}`, first, LARGE, `${size + 2} / 0 / 0`);
  }
  for (const functionId of ['flash-markAsAvailable', 'flash-reorder', 'gallery-removePhotos']) {
    for (const size of quick ? [20] : [1, 100, 500]) {
      const world = { ...LARGE, prefix: `${functionId}-${size}`, size };
      await storeExampleWorld(store, world);
      const removes = functionId === 'gallery-removePhotos';
      const least = removes ? `${size} / 0 / ${size}` : `${size} / ${size} / 0`;
      await measure(`${size} ids`, { functionId }, world, least);
    }
  }
  const single = [
    'availability-updateAvailability',
    'bookings-deleteSession',
    'notifications-resetNewNotifications',
    'unavailableEvents-editUnavailableEvent',
  ];
  for (const functionId of single) {
    await measure('one document', { functionId }, LARGE, '1 / 1 / 0');
  }
  report.table('Cost: documents read / written / deleted, as billed', [
    ['endpoint', 'request', 'cost', 'lower bound', 'calls'],
    ...rows,
  ]);
  report.figure('cost', rows);
  report.aim('requests that cost more than their lower bound', beyond, 'at most', 0);
}
