/**
 * `npm run mutants`: how many small faults the in-process tests notice. Stryker changes the source in a sample of places,
 * which `MUTANTS_SEED` and `MUTANTS_WINDOWS` choose, and runs the tests until one fails.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { ROOT } from '../emulator/root.ts';

const SEED = Number(process.env.MUTANTS_SEED ?? 1);
const WINDOWS = Number(process.env.MUTANTS_WINDOWS ?? 30);
/** So many lines stand in a window: most of what is mutated, whole conditions and calls, fits in. */
const LINES = 6;
/** What must be noticed, in percent. */
const SCORE = 95;

/** Numbers from 0 to 1 that a seed decides: a linear congruential generator, with the constants of Numerical Recipes. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Windows of the source, as Stryker names ranges of lines. */
function sample(): string[] {
  const windows = globSync('functions/src/**/*.ts')
    .sort()
    .flatMap((file) => {
      const lines = readFileSync(file, 'utf8').split('\n').length;
      return Array.from(
        { length: Math.ceil(lines / LINES) },
        (_, index) => `${file}:${index * LINES + 1}-${Math.min((index + 1) * LINES, lines)}`,
      );
    });
  const next = random(SEED);
  const chosen = Array.from({ length: Math.min(WINDOWS, windows.length) }, () =>
    windows.splice(Math.floor(next() * windows.length), 1),
  );
  return chosen.flat();
}

interface Project {
  readonly displayName: string;
  readonly testPathIgnorePatterns?: readonly string[];
}

const { default: jestConfig } = (await import(
  pathToFileURL(join(ROOT, 'jest.config.js')).href
)) as { readonly default: { readonly projects: readonly Project[] } };
const inProcess = jestConfig.projects.find(({ displayName }) => displayName === 'in-process');
if (inProcess === undefined) throw new Error('jest.config.js has no project in-process.');

const results = await new Stryker({
  testRunner: 'jest',
  coverageAnalysis: 'perTest',
  mutate: sample(),
  concurrency: 2,
  // The first run of all the tests, on a busy machine.
  dryRunTimeoutMinutes: 15,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowEmojis: false, logTests: false, reportTests: false },
  // Mutants of what runs once, when a file is loaded, would run every test.
  ignoreStatic: true,
  jest: {
    projectType: 'custom',
    config: {
      ...inProcess,
      // What attacks, fuzzes and deploys takes long, and the local stack is not the source.
      testPathIgnorePatterns: [
        ...(inProcess.testPathIgnorePatterns ?? []),
        '/test/(deploy|emulator|openapi)/',
        '/test/service/(attack|fuzz|client)/',
      ],
    },
  },
}).runMutationTest();

const ran = results.filter(({ status }) =>
  ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status),
);
const noticed = ran.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
process.stderr.write(`seed ${SEED}: ${noticed} of ${ran.length} mutants were noticed\n`);
if (noticed * 100 < ran.length * SCORE) process.exitCode = 1;
