/**
 * `npm run mutants`: how many small faults the in-process tests notice. Stryker changes the source in a sample of places,
 * chosen by `MUTANTS_SEED` and `MUTANTS_WINDOWS`, also in schemas and other code that runs when a file is loaded. For
 * each change it runs the tests until one fails. Tests on the emulators and of deployed functions do not count.
 */
import { hash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { readOptions } from '../../dev/commandLine.ts';
import { ROOT } from '../../dev/root.ts';

readOptions('MUTANTS_SEED=N MUTANTS_WINDOWS=N npm run mutants', {});

const SEED = Number(process.env.MUTANTS_SEED ?? 1);
const WINDOWS = Number(process.env.MUTANTS_WINDOWS ?? 50);
/** The number of lines in a window, enough for a condition, a call or a short function. What crosses its end is not mutated. */
const LINES = 6;
/** How many mutants must be noticed, in percent. */
const SCORE = 95;
/** The fewest mutants of which a percentage means something. */
const FEWEST = 100;

/** A random sample of the source: the windows with the lowest hashes, which depend on the seed. */
function sample(): string[] {
  const order = (window: string) => hash('sha256', `${SEED} ${window}`);
  return globSync(['functions/src/**/*.ts', 'packages/firestore-rest/src/**/*.ts'], {
    exclude: ['**/*.test.ts'],
  })
    .flatMap((file) => {
      const lines = readFileSync(file, 'utf8').split('\n').length;
      return Array.from(
        { length: Math.ceil(lines / LINES) },
        (_, index) => `${file}:${index * LINES + 1}-${Math.min((index + 1) * LINES, lines)}`,
      );
    })
    .sort((one, other) => (order(one) < order(other) ? -1 : 1))
    .slice(0, WINDOWS);
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
  // Stryker cannot copy its links to folders.
  ignorePatterns: ['.hosting'],
  concurrency: 2,
  // On a busy machine a run may take far longer than the first one did: a limit that is too short would count mutants as
  // noticed that are not. Tests that hang fail earlier, at their own limit.
  dryRunTimeoutMinutes: 15,
  timeoutFactor: 4,
  timeoutMS: 60_000,
  thresholds: { high: SCORE, low: SCORE, break: SCORE },
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowEmojis: false, logTests: false, reportTests: false },
  jest: {
    projectType: 'custom',
    config: {
      ...inProcess,
      // Stryker merges this into jest.config.js, whose other projects start the local stack.
      projects: [],
      runner: '<rootDir>/tools/mutants/runner.ts',
      // node_modules links to the packages outside of Stryker's copy, which has no mutants.
      moduleNameMapper: {
        '^@tattoo-marketplace/(firestore-\\w+)$': '<rootDir>/packages/$1/src/index.ts',
      },
      testEnvironment: join(ROOT, 'tools/mutants/environment.ts'),
      // Some mutants make tests hang.
      testTimeout: 60_000,
      // Deployments take too long; tests of the local stack say nothing about the source.
      testPathIgnorePatterns: [
        ...(inProcess.testPathIgnorePatterns ?? []),
        '<rootDir>/(demo|dev|functions|packages/firestore-embedded|test/client)/',
      ],
    },
  },
}).runMutationTest();

const ran = results.filter(({ status }) =>
  ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status),
).length;
if (ran < FEWEST) {
  process.stderr.write(`At least ${FEWEST} mutants are needed: set MUTANTS_WINDOWS.\n`);
  process.exitCode = 1;
}
