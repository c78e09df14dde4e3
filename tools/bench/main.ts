/**
 * `npm run bench`: the service beside the Admin SDK and the bare framework. The README.md in this folder describes how;
 * `--write` puts the table into it.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { readOptions } from '../../dev/commandLine.ts';
import { withPart } from '../docs/generatedPart.ts';
import { measureCold, measureWarm, type Row } from './measure.ts';
import { makePrograms } from './programs.ts';
import { startSimulation } from './simulation.ts';

const README = join(import.meta.dirname, 'README.md');

const { write = false, quick = false } = readOptions('npm run bench -- [OPTIONS]', {
  write: { type: 'boolean', help: 'write the table into tools/bench/README.md' },
  quick: { type: 'boolean', help: 'only show that everything works' },
});
if (write && quick) throw new Error('--write takes a whole run: without --quick.');

const PAGE = { functionId: 'flash-listByArtist', query: { limit: '20' } };
const LATER = { ...PAGE, query: { limit: '20', cursor: 'things-19' } };
const MARK = { functionId: 'flash-markAsAvailable', size: 20 };
const DELETE = { functionId: 'bookings-deleteSession' };
const LIST = { functionId: 'artists-list' };

const google = await startSimulation(quick ? 500 : 25_000);
const { service, sdk, bare } = await makePrograms();
const all = [service, sdk, bare];
const rounds = quick ? 2 : 9;
const measurements: [string, () => Promise<Row>][] = [
  ['page, the service twice', () => measureWarm(google, PAGE, [service, service], rounds)],
  ['page of 20', () => measureWarm(google, PAGE, all, rounds)],
  ['later page of 20', () => measureWarm(google, LATER, all, rounds)],
  ['mark-as-available, 20', () => measureWarm(google, MARK, all, rounds)],
  ['delete-session', () => measureWarm(google, DELETE, all, rounds)],
  ['cold start, a page', () => measureCold(google, PAGE, all, rounds)],
  ['cold start, 25 000 artists', () => measureCold(google, LIST, all, quick ? 1 : 3)],
];
const lines = [
  '| ms | service | Admin SDK | bare framework | service to SDK |',
  '| --- | --- | --- | --- | --- |',
];
try {
  for (const [name, measure] of measurements) {
    process.stderr.write(`${name}\n`);
    const [ours, theirs, framework, ratio] = await measure();
    lines.push(`| ${[name, ours, theirs, framework, ratio].join(' | ')} |`);
  }
} finally {
  await service.remove();
}
const seconds = Math.round(performance.now() / 1000);
const machine = `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'processor'}`;
const when = `${new Date().toISOString().slice(0, 10)}, in ${seconds} s, on ${machine}, Node ${process.version}.`;
const text = `${when}\n\n${lines.join('\n')}`;
const table = await format(text, { ...(await resolveConfig(README)), parser: 'markdown' });
console.log(table);
if (write) {
  const readme = await readFile(README, 'utf8');
  const [begin, end] = ['<!-- npm run bench -- --write -->', '<!-- end of the table -->'];
  await writeFile(README, withPart(readme, begin, end, `\n\n${table}\n`));
}
process.exit();
