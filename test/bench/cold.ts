import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Program } from './baselines.ts';
import { optionsFor, type Bench, type Measured } from './bench.ts';
import { figureOf, ratioOf, shown } from './figures.ts';
import { memoryOf, serve } from './serving.ts';

const BARE = 'the bare framework (.js)';
const BARE_CJS = 'the bare framework (.cjs)';

/** A read, a write, and the artist list: the functions with the most different starts. */
const STARTED: Readonly<Record<string, Measured>> = {
  'a page (read)': { functionId: 'flash-listByArtist' },
  'mark-as-available (write)': { functionId: 'flash-markAsAvailable', size: 3 },
  'the artist list': { functionId: 'artists-list' },
};

interface Starter {
  readonly program: Program;
  readonly measured: Measured;
  readonly ms: number[];
  readonly restMiB: number[];
}

/** From process spawn to the first 200. The service and the usual way have accessed Firestore by then. */
export async function measureCold({ quick, programs, google, report }: Bench): Promise<void> {
  const rounds = quick ? 3 : 15;
  const { bare, bareCjs, service, express } = programs;
  const starters = new Map<string, Starter>();
  const add = (name: string, program: Program, measured: Measured) =>
    starters.set(name, { program, measured, ms: [], restMiB: [] });
  const [first = { functionId: '' }] = Object.values(STARTED);
  add(BARE, bare, first);
  add(BARE_CJS, bareCjs, first);
  for (const [what, measured] of Object.entries(STARTED)) {
    add(`the service, ${what}`, service, measured);
    add(`the usual way, ${what}`, express, measured);
  }
  // The first start of each is not counted: its files and the simulation's responses are not cached yet.
  for (let round = -1; round < rounds; round += 1) {
    report.step(`cold start, round ${Math.max(0, round) + 1} of ${rounds}`);
    for (const { program, measured, ms, restMiB } of starters.values()) {
      const options = optionsFor(measured, program, google.replaying);
      const served = await serve(program, measured.functionId, options);
      const { now } = await memoryOf(served.pid);
      await served.stop();
      if (round < 0) continue;
      ms.push(served.coldMs);
      restMiB.push(now);
    }
  }
  const msOf = (name: string) => starters.get(name)?.ms ?? [];
  const usualOf = (name: string) => msOf(name.replace('the service,', 'the usual way,'));
  report.table('Cold start: process spawn to the first 200, ms', [
    ['program', 'median (quartiles)', 'to the bare .js', 'to the usual way', 'memory then, MiB'],
    ...[...starters].map(([name, { ms, restMiB }]) => [
      ...[name, shown(figureOf(ms)), ratioOf(ms, msOf(BARE)).median.toFixed(2)],
      name.startsWith('the service') ? ratioOf(ms, usualOf(name)).median.toFixed(2) : '',
      figureOf(restMiB).median.toFixed(0),
    ]),
  ]);
  for (const [name, { ms, restMiB }] of starters) {
    report.figure(`cold ${name}`, { ms: figureOf(ms), restMiB: figureOf(restMiB) });
  }
  for (const what of Object.keys(STARTED)) {
    const name = `the service, ${what}`;
    const ms = msOf(name);
    report.aim(
      `cold start of ${what}, to the bare framework (.js)`,
      ratioOf(ms, msOf(BARE)).median,
      'at most',
      1.5,
    );
    report.aim(
      `cold start of ${what}, to the usual way`,
      ratioOf(ms, usualOf(name)).median,
      'at most',
      0.45,
    );
  }
  const largest = Math.max(
    ...Object.keys(STARTED).map(
      (what) => figureOf(starters.get(`the service, ${what}`)?.restMiB ?? []).median,
    ),
  );
  report.aim('memory of a fresh instance, MiB', largest, 'at most', 90);
}

/** The file system calls of a start, which are free of noise, and the size of the upload. */
export async function measureStart({ programs, google, report }: Bench): Promise<void> {
  report.step('start-up work');
  const measured = { functionId: 'flash-listByArtist' };
  const calls: Record<string, number | undefined> = {};
  const { bareCjs, service, express } = programs;
  const started = { [BARE_CJS]: bareCjs, 'the service': service, 'the usual way': express };
  for (const [name, program] of Object.entries(started)) {
    const options = optionsFor(measured, program, google.replaying);
    calls[name] = await fileCalls(async (under) => {
      const served = await serve(program, measured.functionId, { ...options, under });
      await served.stop();
    });
  }
  const own = calls[BARE_CJS] ?? NaN;
  report.table('Start-up work', [
    ['program', 'file system calls beyond those of the bare framework (.cjs)'],
    ...Object.entries(calls).map(([name, count]) => [
      name,
      count === undefined ? 'not measured: no strace here' : String(count - own),
    ]),
  ]);
  console.log(`\nUploaded: ${programs.uploadBytes} bytes, unpacked.`);
  report.figure('file system calls of a start', calls);
  report.figure('uploadBytes', programs.uploadBytes);
  report.aim('upload, unpacked, MB', programs.uploadBytes / 1e6, 'at most', 1.6);
}

/** The number of file system calls of a start by strace; undefined without strace. */
async function fileCalls(
  start: (under: readonly string[]) => Promise<void>,
): Promise<number | undefined> {
  try {
    await promisify(execFile)('strace', ['-V']);
  } catch {
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'strace-'));
  const log = join(folder, 'log');
  await start(['strace', '-f', '-qq', '-e', 'trace=%file,read', '-o', log]);
  const lines = (await readFile(log, 'utf8')).split('\n');
  await rm(folder, { recursive: true });
  return lines.filter((line) =>
    /\b(open|openat|stat|statx|newfstatat|lstat|access|readlink|readlinkat)\(/.test(line),
  ).length;
}
