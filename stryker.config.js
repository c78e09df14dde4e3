/** `npm run test:mutation -- --mutate FILES`: puts small faults into the source, and lists those that in-process tests miss. */
import jestConfig from './jest.config.js';

const inProcess = /** @type {import('jest').Config | undefined} */ (
  jestConfig.projects?.find((each) => typeof each === 'object' && each.displayName === 'in-process')
);

export default {
  testRunner: 'jest',
  coverageAnalysis: 'perTest',
  mutate: [
    'functions/src/**/*.ts',
    'packages/{collections,endpoints,firestore-rest}/src/**/*.ts',
    '!**/*.test.ts',
  ],
  // Stryker cannot copy its links to folders.
  ignorePatterns: ['.hosting', '.worktrees'],
  // Also after a failure: jest would find its packages twice.
  cleanTempDir: 'always',
  concurrency: 2,
  dryRunTimeoutMinutes: 15,
  // A limit that is too short on a busy machine would count mutants as noticed that are not.
  timeoutMS: 60_000,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowEmojis: false, logTests: false, reportTests: false },
  jest: {
    projectType: 'custom',
    config: {
      ...inProcess,
      // Stryker merges this into jest.config.js, whose other projects start the local stack.
      projects: [],
      // node_modules links to the packages outside of Stryker's copy, which has no mutants.
      moduleNameMapper: {
        ...inProcess?.moduleNameMapper,
        '^@tattoo-marketplace/(collections|endpoints|firestore-\\w+)$':
          '<rootDir>/packages/$1/src/index.ts',
      },
      // Deployments take too long; tests of the local stack say nothing about the source.
      testPathIgnorePatterns: [
        ...(inProcess?.testPathIgnorePatterns ?? []),
        '<rootDir>/(demo|dev|examples|functions|packages/firestore-embedded|packages/client)/',
      ],
    },
  },
};
