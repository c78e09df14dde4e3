import type { StackAddresses } from '../../dev/addresses.ts';

/** The environment variable in which the global setup passes the addresses of the stack to the tests. */
export const STACK_VARIABLE = 'TEST_STACK';

/** The stack of this test run, which may still be starting. */
export interface TestStack extends StackAddresses {
  /** The output of the emulators, including the functions' logs. */
  readonly logFile: string;
  /** A connection to this port gets the reason why the stack did not start, and ends without one when it is ready. */
  readonly startPort: number;
}

/** The stack of this test run. */
export function testStack(): TestStack {
  const text = process.env[STACK_VARIABLE];
  if (text === undefined)
    throw new Error('No stack is running: is this file named *.stack.test.ts?');
  return JSON.parse(text) as TestStack;
}
