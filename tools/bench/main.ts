/**
 * `npm run bench -- --out FILE`: the speed and the cost of the service beside baselines. The README.md in this folder
 * describes how, and gets the figures. Without FILE they are only printed; `--quick` and `--only cold,artists` show that
 * everything works.
 */
import { arch, cpus, platform } from 'node:os';
import { parseArgs } from 'node:util';
import { measureArtists } from './artists.ts';
import { prepare, type Bench } from './bench.ts';
import { separation } from './children.ts';
import { measureCold, measureYoung } from './cold.ts';
import { measureCrowds } from './crowds.ts';
import { markdownOf, publish, Report } from './report.ts';
import { measureDeployed, measureRequests } from './requests.ts';
import { stopAll } from './serving.ts';

const PARTS: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  requests: measureRequests,
  deployed: measureDeployed,
  young: measureYoung,
  artists: measureArtists,
  crowds: measureCrowds,
  cold: measureCold,
};
const ALL = Object.keys(PARTS).join();

const { values: flags } = parseArgs({
  options: {
    out: { type: 'string' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: ALL },
  },
});
if (flags.out !== undefined && (flags.quick || flags.only !== ALL)) {
  throw new Error('--out takes a whole run: without --quick and --only.');
}

const report = new Report();
const bench = await prepare(report, flags.quick);
async function measured(measure: (bench: Bench) => Promise<void>): Promise<Report> {
  const part = new Report();
  await measure({ ...bench, report: part });
  return part;
}

try {
  for (const name of flags.only.split(',')) {
    const measure = PARTS[name];
    if (measure === undefined) throw new Error(`There is no part ${name}, only ${ALL}.`);
    // A part that fails is measured once more, and what it has reported is left out.
    const part = await measured(measure).catch(async (error: unknown) => {
      await stopAll();
      report.step(`${name} failed and is repeated: ${String(error)}`);
      return measured(measure);
    });
    report.add(part);
  }
} finally {
  await bench.stop();
}
const processor = cpus()[0]?.model.trim() ?? 'processor';
const run = report.run(
  `${cpus().length} x ${processor}, ${platform()} ${arch()}, Node ${process.version}, cores ${separation}`,
);
console.log(await markdownOf([run]));
if (flags.out !== undefined) await publish(run, flags.out);
process.exit();
