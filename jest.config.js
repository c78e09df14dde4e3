/**
 * Jest runs one project for each type of test. The end of a file name says what its tests need:
 * - `*.test.ts`: nothing. They run in process.
 * - `*.process.test.ts`: the built functions, each in a process of its own.
 * - `*.stack.test.ts`: the local stack, which starts once for all of them.
 * - `*.browser.test.ts`: Chromium, and the local stack.
 * - `*.emulator.test.ts`: Google's Firestore emulator.
 * - `*.deploy.test.ts`: some minutes. They deploy to a fake of Google Cloud with the Firebase CLI.
 * - `*.guide.test.ts`: some minutes. They follow docs/extending.md in a copy of the repository.
 *
 * `npm test` runs the first three.
 */

// Stops the SDKs from looking for Google's metadata server.
process.env.METADATA_SERVER_DETECTION = 'none';

const compiler = {
  // tsc checks the types once; here they are only removed.
  diagnostics: false,
  tsconfig: {
    module: 'commonjs',
    target: 'es2024',
    esModuleInterop: true,
    isolatedModules: true,
    allowJs: true,
    jsx: 'react-jsx',
  },
};

const common = {
  testEnvironment: 'node',
  // Before each test, so that no spy of one reaches the next.
  restoreMocks: true,
  transform: {
    '\\.tsx?$': ['ts-jest', compiler],
    // ES modules that jest's loader cannot load, among them jose of firebase-admin.
    '/(eslint\\.config|node_modules/(jose|p-limit|yocto-queue)/.+)\\.js$': ['ts-jest', compiler],
  },
  // Its source, not what was built of it.
  moduleNameMapper: { '^@tattoo-marketplace/client$': '<rootDir>/packages/client/src/index.ts' },
  transformIgnorePatterns: ['/node_modules/(?!(jose|p-limit|yocto-queue)/)'],
};

/**
 * Tests stand in `test/`, and beside what they test.
 * @param {string} kind
 */
const tests = (kind) => [
  `<rootDir>/{functions,test,dev,demo,tools,packages}/**/*${kind}.test.{ts,tsx}`,
];

const isolatedSetup = [
  '<rootDir>/dev/testing/unsetEmulatorHost.ts',
  '<rootDir>/dev/testing/silenceLogger.ts',
];

const stack = {
  globalSetup: '<rootDir>/test/support/startStack.ts',
  globalTeardown: '<rootDir>/test/support/stopStack.ts',
};

/** @type {import('jest').Config} */
export default {
  // One more than the fewest processors there are: many tests wait for deadlines and for processes.
  maxWorkers: 3,
  // A worker whose memory has grown to 1 GB takes longer to end on a busy machine than the usual half second. One that
  // something keeps open is still reported.
  workerGracefulExitTimeout: 10_000,
  // Longer than any test takes on a busy machine, but for those that say why. A call without a response fails earlier and
  // names itself (dev/testing/rawRequest.ts).
  testTimeout: 60_000,
  projects: [
    {
      ...common,
      displayName: 'in-process',
      testMatch: tests(''),
      testPathIgnorePatterns: ['\\.(process|stack|browser|emulator|deploy|guide)\\.test\\.ts$'],
      setupFiles: isolatedSetup,
    },
    {
      ...common,
      displayName: 'process',
      testMatch: tests('.process'),
      setupFiles: isolatedSetup,
    },
    {
      ...common,
      displayName: 'stack',
      testMatch: tests('.stack'),
      ...stack,
    },
    {
      ...common,
      displayName: 'emulator',
      testMatch: tests('.emulator'),
      setupFiles: ['<rootDir>/dev/testing/silenceLogger.ts'],
    },
    {
      ...common,
      displayName: 'browser',
      testMatch: tests('.browser'),
      ...stack,
    },
    {
      ...common,
      displayName: 'deploy',
      testMatch: tests('.deploy'),
      setupFilesAfterEnv: ['<rootDir>/test/support/deployTestTimeout.ts'],
    },
    {
      ...common,
      displayName: 'guide',
      testMatch: tests('.guide'),
    },
  ],
};
