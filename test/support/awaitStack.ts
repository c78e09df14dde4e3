/** Runs before each test file of the local stack: waits until the stack runs, and fails with the reason if it does not start. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { LOOPBACK } from '../../dev/ports.ts';
import { testStack } from './testStack.ts';

// The first test file waits for all emulators and a build, which take long while other tests need the processors.
const LONGEST_START_MS = 3 * 60_000;

beforeAll(async () => {
  const fault = await text(connect(testStack().startPort, LOOPBACK));
  if (fault !== '') throw new Error(`The stack did not start: ${fault}`);
}, LONGEST_START_MS);
