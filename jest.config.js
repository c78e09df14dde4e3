/**
 * Five kinds of test. A file named `*.emulator.test.ts` calls the running local stack, which is started once for all of
 * them; a file named `*.deployed.test.ts` starts built functions as processes of their own. Two run only when asked for,
 * as not every machine has what they need: `*.browser.test.ts` opens a browser on the stack, and `*.rules.test.ts` asks
 * Google's own Firestore emulator. Every other `*.test.ts` needs nothing that runs.
 */

// There is no Google metadata server here to be asked who we are.
process.env.METADATA_SERVER_DETECTION = 'none';

const compiler = {
  // Types are checked once, by tsc: here they are only taken off.
  diagnostics: false,
  tsconfig: {
    module: 'commonjs',
    target: 'es2024',
    esModuleInterop: true,
    isolatedModules: true,
    allowJs: true,
  },
};

const common = {
  testEnvironment: 'node',
  transform: {
    '\\.ts$': ['ts-jest', compiler],
    // ES modules, which jest's loader does not take: our client's, and those of jose, which firebase-admin loads.
    '/(node_modules/jose|public/client)/.+\\.js$': ['ts-jest', compiler],
  },
  transformIgnorePatterns: ['/node_modules/(?!jose/)'],
};

const stack = {
  globalSetup: '<rootDir>/test/support/startStack.ts',
  globalTeardown: '<rootDir>/test/support/stopStack.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/awaitStack.ts'],
};

/** @type {import('jest').Config} */
export default {
  // One more than the fewest processors there are: many tests wait for deadlines and for processes.
  maxWorkers: 3,
  testSequencer: './test/support/waitingTestsFirst.ts',
  // Longer than any test takes on the slowest machine. A call that gets no answer fails before, and says which it was
  // (test/support/callLimit.ts): only a test that hangs otherwise reaches this.
  testTimeout: 15 * 60_000,
  projects: [
    {
      ...common,
      displayName: 'in-process',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['\\.(deployed|emulator|browser|rules)\\.test\\.ts$'],
      setupFiles: ['<rootDir>/test/support/quietLogs.ts'],
    },
    {
      ...common,
      displayName: 'deployed',
      testMatch: ['<rootDir>/test/**/*.deployed.test.ts'],
      setupFiles: ['<rootDir>/test/support/quietLogs.ts'],
    },
    {
      ...common,
      displayName: 'emulator',
      testMatch: ['<rootDir>/test/**/*.emulator.test.ts'],
      ...stack,
    },
    {
      ...common,
      displayName: 'rules',
      testMatch: ['<rootDir>/test/**/*.rules.test.ts'],
    },
    {
      ...common,
      displayName: 'browser',
      testMatch: ['<rootDir>/test/**/*.browser.test.ts'],
      ...stack,
    },
  ],
};
