/**
 * Prints the processor time that code adds to a process with the Functions Framework, in ms: the median of 15 runs, and
 * their minimum. Each argument is the code of an ES module, which is bundled from the current folder:
 *
 *     npm install undici && node PATH/TO/tools/bench/loadTimes.ts "export * from 'undici'"
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const RUNS = 15;

const { resolve } = createRequire(join(import.meta.dirname, '../../functions/package.json'));
const framework = resolve('@google-cloud/functions-framework');
const folder = mkdtempSync(join(tmpdir(), 'load-times-'));

/** Runs code after the framework. Returns the processor time of the process, of all threads. */
function measure(file: string): number {
  const script = `require('${framework}'); require('${file}');
    process.on('exit', () => { const { user, system } = process.cpuUsage(); console.log((user + system) / 1000); })`;
  return Number(
    execFileSync(process.execPath, ['-e', script], {
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    }),
  );
}

const programs = await Promise.all(
  ['', ...process.argv.slice(2)].map(async (code, index) => {
    const file = join(folder, `${index}.cjs`);
    const stdin = { contents: code, resolveDir: process.cwd() };
    await build({
      stdin,
      outfile: file,
      bundle: true,
      minify: true,
      keepNames: true,
      platform: 'node',
    });
    return { code, file, times: [] as number[] };
  }),
);
for (let run = 0; run < RUNS; run += 1) {
  for (const { file, times } of programs) times.push(measure(file));
}
rmSync(folder, { recursive: true });

const summarize = (times: readonly number[]) => {
  const sorted = times.toSorted((a, b) => a - b);
  return [sorted[RUNS >> 1] ?? NaN, sorted[0] ?? NaN] as const;
};
const [base] = programs.map(({ times }) => summarize(times));
for (const { code, times } of programs.slice(1)) {
  const [median, minimum] = summarize(times);
  console.log(`+${(median - base[0]).toFixed(0)} (+${(minimum - base[1]).toFixed(0)})  ${code}`);
}
