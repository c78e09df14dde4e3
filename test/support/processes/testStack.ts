/** The stack of a test run. Jest loads this module before each test file, so it imports only types: a test may mock any module. */
import type { StackAddresses } from '../../../dev/addresses.ts';

/** The environment variable in which the global setup passes the addresses of the stack to the tests. */
export const STACK_VARIABLE = 'TEST_STACK';

/** The log of the stack of a test run. */
export const STACK_LOG_FILE = 'test-stack.log';

/** Returns the addresses of the stack of this test run. */
export function getTestStack(): StackAddresses {
  const text = process.env[STACK_VARIABLE];
  if (text === undefined)
    throw new Error('No stack is running: is this file named *.stack.test.ts?');
  return JSON.parse(text) as StackAddresses;
}
