import type { Stack } from '../emulator/stack.ts';

/** The environment variable in which the global setup tells the tests where the stack is. */
export const STACK_VARIABLE = 'TEST_STACK';

/** Where the running stack is. */
export type StackAddresses = Pick<
  Stack,
  'projectId' | 'baseAddress' | 'functionsAddress' | 'authHost' | 'firestoreHost'
>;

/** Where the stack of this test run is. */
export function testStack(): StackAddresses {
  const text = process.env[STACK_VARIABLE];
  if (text === undefined) throw new Error('No stack runs: is this file named *.stack.test.ts?');
  return JSON.parse(text) as StackAddresses;
}
