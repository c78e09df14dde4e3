import type { Stack } from '../emulator/stack.ts';

/** The environment variable in which the global setup passes the addresses of the stack to the tests. */
export const STACK_VARIABLE = 'TEST_STACK';

/** The addresses of the running stack. */
export interface StackAddresses extends Pick<
  Stack,
  | 'projectId'
  | 'baseAddress'
  | 'functionsFolder'
  | 'functionsAddress'
  | 'authHost'
  | 'firestoreHost'
> {
  /** The output of the emulators, including the functions' logs. */
  readonly logFile: string;
}

/** The addresses of the stack of this test run. */
export function testStack(): StackAddresses {
  const text = process.env[STACK_VARIABLE];
  if (text === undefined)
    throw new Error('No stack is running: is this file named *.emulator.test.ts?');
  return JSON.parse(text) as StackAddresses;
}
