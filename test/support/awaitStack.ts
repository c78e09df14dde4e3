/** Runs before each emulator test file: waits until the stack runs, and fails with the reason if it does not start. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { LOOPBACK } from '../../dev/ports.ts';
import { testStack } from '../../dev/shared/testStack.ts';

beforeAll(async () => {
  const fault = await text(connect(testStack().startPort, LOOPBACK));
  if (fault !== '') throw new Error(`The stack did not start: ${fault}`);
});
