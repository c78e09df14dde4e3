/**
 * Prints the processor time that code adds to a process with the Functions Framework: the median of 15 runs, in ms. Each
 * argument is the code of an ES module, which is bundled from the current folder:
 *
 *     npm install undici && node PATH/TO/tools/bench/loadTimes.ts "export * from 'undici'"
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const RUNS = 15;

const framework = fileURLToPath(import.meta.resolve('@google-cloud/functions-framework'));
const folder = mkdtempSync(join(tmpdir(), 'load-times-'));

/** Runs a file after the framework. Returns the processor time of the process, of all threads. */
function measure(file: string): number {
  const script = `require('${framework}'); require('${file}');
    process.on('exit', () => { const { user, system } = process.cpuUsage(); console.log((user + system) / 1000); })`;
  const env = { ...process.env, NODE_NO_WARNINGS: '1' };
  return Number(execFileSync(process.execPath, ['-e', script], { env }));
}

const programs = await Promise.all(
  ['', ...process.argv.slice(2)].map(async (code, index) => {
    const outfile = join(folder, `${index}.cjs`);
    const stdin = { contents: code, resolveDir: process.cwd() };
    await build({ stdin, outfile, bundle: true, minify: true, keepNames: true, platform: 'node' });
    return { code, outfile, times: [] as number[] };
  }),
);
for (let run = 0; run < RUNS; run += 1) {
  for (const { outfile, times } of programs) times.push(measure(outfile));
}
rmSync(folder, { recursive: true });

const medians = programs.map(({ times }) => times.toSorted((a, b) => a - b)[RUNS >> 1] ?? NaN);
for (const [index, { code }] of programs.entries()) {
  const added = (medians[index] ?? NaN) - (medians[0] ?? NaN);
  if (index > 0) console.log(`+${added.toFixed(0)} ${code}`);
}
