/**
 * Isolates a test file from the environment of its worker and from the logs of the functions it calls. Jest loads this module
 * before each test file.
 */
import { collectLoggedError } from './loggedErrors.ts';

// If the local stack's tests are part of the same run, its global setup sets this variable for all workers. Tests that start
// their own Firestore would use the one of the stack. Only tests of Google's emulator name the Firestore to use.
if (process.env.TEST_EMULATOR_HOST === undefined) delete process.env.FIRESTORE_EMULATOR_HOST;

// Jest enables colors in its workers, but tests compare the output of child processes.
delete process.env.FORCE_COLOR;

// Functions log errors with the console methods that exist when the SDK's logger is loaded. Tests of logging spy on the logger.
const { info, warn, error } = console;
const ignore = () => undefined;
Object.assign(console, { info: ignore, warn: ignore, error: collectLoggedError });
jest.requireActual('firebase-functions/logger');
Object.assign(console, { info, warn, error });

/** Sets the project and the parameters of the functions that a test file serves in its process. Each file has its own environment. */
export function useFunctionsEnvironment(
  projectId: string,
  parameters: Readonly<Record<string, string>> = {},
): void {
  beforeAll(async () => {
    const { default: functionsTest } = await import('firebase-functions-test');
    functionsTest({ projectId });
    Object.assign(process.env, parameters);
  });
}
