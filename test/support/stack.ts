import type { Stack } from '../emulator/stack.ts';

/** The environment variable in which the global setup tells the tests where the stack is. */
export const STACK_VARIABLE = 'TEST_STACK';

/** Where the running stack is. */
export interface StackAddresses extends Pick<
  Stack,
  | 'projectId'
  | 'baseAddress'
  | 'functionsFolder'
  | 'functionsAddress'
  | 'authHost'
  | 'firestoreHost'
> {
  /** What the emulators print, the functions' logs among it. */
  readonly logFile: string;
}

/** Where the stack of this test run is. */
export function testStack(): StackAddresses {
  const text = process.env[STACK_VARIABLE];
  if (text === undefined) throw new Error('No stack runs: is this file named *.emulator.test.ts?');
  return JSON.parse(text) as StackAddresses;
}
