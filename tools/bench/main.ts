/**
 * `npm run bench`: the speed of the service beside baselines. The README.md in this folder describes how;
 * `--write` puts the figures into it. `--quick` and `--only cold,artists` show that everything works.
 */
import { arch, cpus, platform } from 'node:os';
import { readOptions } from '../../dev/commandLine.ts';
import type { Bench } from './bench.ts';
import { measureArtists, measureCold } from './cold.ts';
import { leaveOwnCore, separation } from './cores.ts';
import { measureCrowds } from './crowds.ts';
import { makePrograms } from './programs.ts';
import { publish, Report } from './report.ts';
import { measureRequests } from './requests.ts';
import { startSimulation } from './simulation.ts';

const PARTS: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  requests: measureRequests,
  artists: measureArtists,
  crowds: measureCrowds,
  cold: measureCold,
};
const ALL = Object.keys(PARTS).join();

const {
  write = false,
  quick = false,
  only = ALL,
} = readOptions('npm run bench -- [OPTIONS]', {
  write: { type: 'boolean', help: 'write the figures into tools/bench/README.md' },
  quick: { type: 'boolean', help: 'only show that everything works' },
  only: { type: 'string', value: 'PARTS', help: `some of ${ALL}` },
});
if (write && (quick || only !== ALL)) {
  throw new Error('--write takes a whole run: without --quick and --only.');
}

const report = new Report();
report.step('building and installing what is measured');
const programs = await makePrograms();
leaveOwnCore();
try {
  const google = await startSimulation();
  const bench = { quick, report, programs, google };
  for (const name of only.split(',')) {
    const measure = PARTS[name];
    if (measure === undefined) throw new Error(`There is no part ${name}, only ${ALL}.`);
    await measure(bench);
  }
} finally {
  await programs.remove();
}
const processor = cpus()[0]?.model.trim() ?? 'processor';
const figures = await report.markdown(
  `${cpus().length} x ${processor}, ${platform()} ${arch()}, Node ${process.version}, cores ${separation}`,
);
console.log(figures);
if (write) await publish(figures);
process.exit();
