/** @type {import('jest').Config} */
const project = {
  testEnvironment: 'node',
  // Types are checked once, by tsc: here they are only taken off.
  transform: {
    '\\.ts$': [
      'ts-jest',
      {
        tsconfig: {
          module: 'commonjs',
          target: 'es2024',
          esModuleInterop: true,
          isolatedModules: true,
          allowImportingTsExtensions: true,
          noEmit: false,
        },
        diagnostics: false,
      },
    ],
  },
};
export default {
  projects: [{ ...project, displayName: 'unit', testMatch: ['<rootDir>/test/**/*.test.ts'] }],
};
