/**
 * `npm run mutants`: measures how many small changes of the source are detected by the in-process tests. Stryker
 * changes a sample of places, chosen by `MUTANTS_SEED` and `MUTANTS_WINDOWS`, and runs the tests until one fails.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { ROOT } from '../emulator/root.ts';

const SEED = Number(process.env.MUTANTS_SEED ?? 1);
const WINDOWS = Number(process.env.MUTANTS_WINDOWS ?? 30);
/** The number of lines in a window, enough for most whole conditions and calls. */
const LINES = 6;
/** The required percentage of detected mutants. */
const SCORE = 95;

/**
 * Pseudo-random numbers from 0 to 1 for a seed: a linear congruential generator with the constants of Numerical
 * Recipes.
 */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Windows of the source, in Stryker's syntax for ranges of lines. */
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
  // The first run of all tests may take long on a busy machine.
  dryRunTimeoutMinutes: 15,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowEmojis: false, logTests: false, reportTests: false },
  // Mutants of code that runs once, when a file is loaded, would need all tests.
  ignoreStatic: true,
  jest: {
    projectType: 'custom',
    config: {
      ...inProcess,
      // The attack, fuzz and deploy tests take long, and the local stack is not part of the source.
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
