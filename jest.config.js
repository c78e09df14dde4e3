/**
 * The seven kinds of tests. `*.stack.test.ts` files use the local stack, which is started once for all of them.
 * `*.deployed.test.ts` files run built functions as separate processes. Four kinds only run on request, because they
 * take minutes or need what not every machine has: `*.browser.test.ts` files open a browser on the stack,
 * `*.rules.test.ts` files use Google's own Firestore emulator, `*.rehearsal.test.ts` files deploy with the Firebase
 * CLI, and `*.recipe.test.ts` files do what docs/extending.md says. All other `*.test.ts` files need nothing else.
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
  },
};

const common = {
  testEnvironment: 'node',
  // Before each test, so that no spy of one reaches the next.
  restoreMocks: true,
  transform: {
    '\\.ts$': ['ts-jest', compiler],
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
const tests = (kind) => [`<rootDir>/{functions,test,dev,demo,tools,packages}/**/*${kind}.test.ts`];

const ownFirestore = [
  '<rootDir>/dev/testing/ownFirestore.ts',
  '<rootDir>/dev/testing/quietLogs.ts',
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
      testPathIgnorePatterns: ['\\.(deployed|stack|browser|rules|rehearsal|recipe)\\.test\\.ts$'],
      setupFiles: ownFirestore,
    },
    {
      ...common,
      displayName: 'deployed',
      testMatch: tests('.deployed'),
      setupFiles: ownFirestore,
    },
    {
      ...common,
      displayName: 'stack',
      testMatch: tests('.stack'),
      ...stack,
    },
    {
      ...common,
      displayName: 'rules',
      testMatch: tests('.rules'),
      setupFiles: ['<rootDir>/dev/testing/quietLogs.ts'],
    },
    {
      ...common,
      displayName: 'browser',
      testMatch: tests('.browser'),
      ...stack,
    },
    {
      ...common,
      displayName: 'rehearsal',
      testMatch: tests('.rehearsal'),
      setupFilesAfterEnv: ['<rootDir>/test/support/rehearsalTime.ts'],
    },
    {
      ...common,
      displayName: 'recipe',
      testMatch: tests('.recipe'),
    },
  ],
};
