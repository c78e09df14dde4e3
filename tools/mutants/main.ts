/**
 * `npm run mutants`: how many small faults the in-process tests notice. Stryker changes the source in a sample of places,
 * chosen by `MUTANTS_SEED` and `MUTANTS_WINDOWS`, also in schemas and other code that runs when a file is loaded. For
 * each change it runs the tests until one fails. Tests on the emulators and of deployed functions do not count.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { ROOT } from '../../dev/root.ts';

const SEED = Number(process.env.MUTANTS_SEED ?? 1);
const WINDOWS = Number(process.env.MUTANTS_WINDOWS ?? 50);
/** The lines of a window: conditions, calls and short functions fit in. What reaches over its end is not mutated. */
const LINES = 6;
/** How many mutants must be noticed, in percent. */
const SCORE = 95;
/** The fewest mutants of which a percentage means something. */
const FEWEST = 100;

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
  const windows = globSync(['functions/src/**/*.ts', 'packages/*/src/**/*.ts'], {
    exclude: ['**/*.test.ts'],
  })
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
  // On a busy machine a run may take far longer than the first one did: a limit that is too short would count mutants as
  // noticed that are not. Tests that hang fail earlier, at their own limit.
  dryRunTimeoutMinutes: 15,
  timeoutFactor: 4,
  timeoutMS: 60_000,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowEmojis: false, logTests: false, reportTests: false },
  jest: {
    projectType: 'custom',
    config: {
      ...inProcess,
      // Stryker merges this into jest.config.js, whose other projects start the local stack.
      projects: [],
      runner: '<rootDir>/tools/mutants/runner.ts',
      // node_modules links to the package outside of Stryker's copy, which has no mutants.
      moduleNameMapper: {
        '^@tattoo-marketplace/firestore-rest$': '<rootDir>/packages/firestore-rest/src/index.ts',
      },
      testEnvironment: join(ROOT, 'tools/mutants/environment.ts'),
      // Some mutants make tests hang.
      testTimeout: 60_000,
      // Deployments take too long; tests of the local stack say nothing about the source.
      testPathIgnorePatterns: [
        ...(inProcess.testPathIgnorePatterns ?? []),
        '/(dev|tools/rehearsal)/',
        '/test/client/',
      ],
    },
  },
}).runMutationTest();

function numberOf(...statuses: readonly (typeof results)[number]['status'][]): number {
  return results.filter(({ status }) => statuses.includes(status)).length;
}

const late = numberOf('Timeout');
const noticed = numberOf('Killed') + late;
// Without mutants that keep the source from loading, which any test would notice: Stryker counts them as errors.
const ran = noticed + numberOf('Survived', 'NoCoverage');
process.stderr.write(
  `Seed ${SEED}: ${noticed} of ${ran} mutants were noticed, ${late} of them because the tests did not end.\n`,
);
if (ran < FEWEST) process.stderr.write(`At least ${FEWEST} are needed: set MUTANTS_WINDOWS.\n`);
if (ran < FEWEST || noticed * 100 < ran * SCORE) process.exitCode = 1;
