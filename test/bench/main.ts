/**
 * `npm run bench [-- --out FILE] [--quick] [--only cold,cost]`: the speed and the cost of the service, compared with
 * baselines that are measured alternately in the same run. The README.md in this folder describes how.
 */
import { cpus, arch, platform } from 'node:os';
import { parseArgs } from 'node:util';
import { storeExampleWorld } from '../support/exampleRequests.ts';
import { measureArtists, storeArtists } from './artists.ts';
import { prepare, WORLD, type Bench } from './bench.ts';
import { measureCached } from './cached.ts';
import { measureCold, measureStart } from './cold.ts';
import { separation } from './cores.ts';
import { measureCost } from './cost.ts';
import { Report } from './report.ts';
import { measureParsing } from './parsing.ts';
import { measureRequests } from './requests.ts';

const PARTS: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  cold: measureCold,
  start: measureStart,
  requests: measureRequests,
  parsing: measureParsing,
  cached: measureCached,
  artists: measureArtists,
  cost: measureCost,
};

const { values: flags } = parseArgs({
  options: {
    out: { type: 'string' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(PARTS).join() },
  },
});

const report = new Report(
  `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'processor'}, ${platform()} ${arch()}, Node ${process.version}, cores ${separation}`,
);
const bench = await prepare(report, flags.quick);
try {
  await storeExampleWorld(bench.store, WORLD);
  await storeArtists(bench, 10);
  for (const name of flags.only.split(',')) {
    const measure = PARTS[name];
    if (measure === undefined) throw new Error(`There is no part ${name}.`);
    await measure(bench);
  }
} finally {
  await bench.stop();
}
report.printGoals();
if (flags.out !== undefined) await report.write(flags.out);
process.exit();
