/**
 * Two kinds of test. A file named `*.stack.test.ts` calls the running local stack, which is started once for
 * all of them; every other `*.test.ts` needs nothing that runs, or starts it itself.
 */
// There is no Google metadata server here to be asked who we are.
process.env.METADATA_SERVER_DETECTION = 'none';

const common = {
  testEnvironment: 'node',
  transform: {
    '\\.ts$': [
      'ts-jest',
      {
        // Types are checked once, by tsc: here they are only taken off.
        diagnostics: false,
        tsconfig: {
          module: 'commonjs',
          target: 'es2024',
          esModuleInterop: true,
          isolatedModules: true,
        },
      },
    ],
  },
};

/** @type {import('jest').Config} */
export default {
  maxWorkers: 2,
  projects: [
    {
      ...common,
      displayName: 'alone',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['\\.stack\\.test\\.ts$'],
      setupFiles: ['<rootDir>/test/support/alone.ts'],
    },
    {
      ...common,
      displayName: 'stack',
      testMatch: ['<rootDir>/test/**/*.stack.test.ts'],
      globalSetup: '<rootDir>/test/support/startStack.ts',
      globalTeardown: '<rootDir>/test/support/stopStack.ts',
    },
  ],
};
