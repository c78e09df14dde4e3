/**
 * Jest runs one project for each type of test. The end of a file name says what its tests need:
 * - `*.test.ts`: nothing. They run in process.
 * - `*.process.test.ts`: the built functions, each in a process of its own.
 * - `*.stack.test.ts`: the local stack, which starts once for all of them.
 * - `*.browser.test.ts`: Chromium, and the local stack.
 * - `*.emulator.test.ts`: Google's Firestore emulator.
 * - `*.deploy.test.ts`: some minutes. They deploy to a fake of Google Cloud with the Firebase CLI.
 * - `*.live.test.ts`: a deployed service, which `npm run test:live` names.
 * - `*.guide.test.ts`: some minutes. They follow docs/extending.md in a copy of the repository.
 *
 * `npm test` runs the first three.
 */

import http from 'node:http';
import { join } from 'node:path';

/**
 * The environment variables of the developer's shell that tests get. Others, such as emulator hosts, projects, parameters of
 * the service and colors, must not change what tests see. Workers inherit the environment of this process.
 */
const KEPT_VARIABLES =
  /^(PATH|HOME|USER|SHELL|LANG|TMPDIR|TEMP|TMP|CI|CHROMIUM|SCREENSHOTS|JAVA_HOME|NODE_(ENV|OPTIONS|EXTRA_CA_CERTS)|(FUZZ|STRYKER|npm)_\w+|JEST_WORKER_ID|TEST_(CASES|EMULATOR_HOST|STACK)|HTTPS?_PROXY|NO_PROXY|SystemRoot|windir|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|ProgramFiles.*)$/i;

for (const name of Object.keys(process.env)) {
  if (!KEPT_VARIABLES.test(name)) Reflect.deleteProperty(process.env, name);
}

// The emulator that tools/runEmulatorTests.ts has started.
const { TEST_EMULATOR_HOST } = process.env;
if (TEST_EMULATOR_HOST !== undefined) process.env.FIRESTORE_EMULATOR_HOST = TEST_EMULATOR_HOST;

// Programs that tests start many times, such as the Firebase CLI, load their compiled code from there.
process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, 'node_modules/.cache/node');

// Stops the SDKs from looking for Google's metadata server.
process.env.METADATA_SERVER_DETECTION = 'none';

// The servers of tests are local: only npm uses a proxy. Node.js has read these variables when this process started.
const noProxy = ['127.0.0.1', 'localhost', process.env.NO_PROXY ?? ''].join();
Object.assign(process.env, { NO_PROXY: noProxy, no_proxy: noProxy });
http.globalAgent = new http.Agent({ keepAlive: true });

/**
 * Returns the transform of a language. `npm run typecheck` checks the types: SWC only removes them.
 * @param {import('@swc/types').ParserConfig} parser
 */
const compile = (parser) => [
  '@swc/jest',
  {
    swcrc: false,
    jsc: { parser, target: 'es2024', transform: { react: { runtime: 'automatic' } } },
  },
];

const common = {
  testEnvironment: 'node',
  // Spies end with their test.
  restoreMocks: true,
  transform: {
    '\\.ts$': compile({ syntax: 'typescript' }),
    '\\.tsx$': compile({ syntax: 'typescript', tsx: true }),
    // Jest cannot load these ES modules. firebase-admin uses jose.
    '/node_modules/(canonicalize|jose|p-limit|yocto-queue)/.+\\.js$': compile({
      syntax: 'ecmascript',
    }),
  },
  setupFilesAfterEnv: ['<rootDir>/test/support/jest/reportLoggedErrors.ts'],
  // Worktrees have packages of the same names.
  modulePathIgnorePatterns: ['<rootDir>/\\.worktrees/'],
  // The source of the client instead of its build.
  moduleNameMapper: {
    '^@tattoo-marketplace/client$': '<rootDir>/packages/client/src/index.ts',
    '^@tattoo-marketplace/client/react-query$': '<rootDir>/packages/client/src/react-query.ts',
  },
  transformIgnorePatterns: ['/node_modules/(?!(canonicalize|jose|p-limit|yocto-queue)/)'],
};

/**
 * Tests live in `test/` or next to the code they test.
 * @param {string} suffix
 */
const testFiles = (suffix) => [
  `<rootDir>/{functions,test,dev,demo,examples,tools,packages}/**/*${suffix}.test.{ts,tsx}`,
];

const isolatedSetup = ['<rootDir>/test/support/jest/isolateEnvironment.ts'];

const stack = {
  globalSetup: '<rootDir>/test/support/jest/stackSetup.ts',
  globalTeardown: '<rootDir>/test/support/jest/stackTeardown.ts',
};

/** @type {import('jest').Config} */
export default {
  // One more than the processors of a small machine: many tests wait for deadlines and processes.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/jest/slowFilesFirst.ts',
  // Workers with a heap of 1 GB need longer than jest's default of 500 ms to exit on a busy machine. Workers kept alive by
  // open handles are still reported.
  workerGracefulExitTimeout: 10_000,
  // Longer than any test takes on a busy machine. Tests that need more raise the limit themselves and say why. A request
  // without a response fails earlier, with an error that names it (test/support/requests/sendRawRequest.ts).
  testTimeout: 60_000,
  projects: [
    {
      ...common,
      displayName: 'in-process',
      testMatch: testFiles(''),
      testPathIgnorePatterns: [
        '\\.(process|stack|browser|emulator|deploy|live|guide)\\.test\\.ts$',
      ],
      setupFiles: isolatedSetup,
    },
    {
      ...common,
      displayName: 'process',
      testMatch: testFiles('.process'),
      setupFiles: isolatedSetup,
      globalSetup: '<rootDir>/test/support/jest/buildSetup.ts',
      globalTeardown: '<rootDir>/test/support/jest/buildTeardown.ts',
    },
    {
      ...common,
      displayName: 'stack',
      testMatch: testFiles('.stack'),
      ...stack,
    },
    {
      ...common,
      displayName: 'emulator',
      testMatch: testFiles('.emulator'),
      setupFiles: isolatedSetup,
    },
    {
      ...common,
      displayName: 'browser',
      testMatch: testFiles('.browser'),
      ...stack,
    },
    {
      ...common,
      displayName: 'deploy',
      testMatch: testFiles('.deploy'),
      setupFilesAfterEnv: [
        ...common.setupFilesAfterEnv,
        '<rootDir>/test/support/jest/deployTestTimeout.ts',
      ],
    },
    {
      ...common,
      displayName: 'live',
      testMatch: testFiles('.live'),
    },
    {
      ...common,
      displayName: 'guide',
      testMatch: testFiles('.guide'),
    },
  ],
};
