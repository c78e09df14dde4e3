import { createWriteStream } from 'node:fs';
import { getStackAddresses } from '../../../dev/addresses.ts';
import { writeDemoData } from '../../../demo/writeDemoData.ts';
import { findFreePorts } from '../../../dev/ports.ts';
import { startStack, type Stack } from '../../../dev/stack.ts';
import { STACK_LOG_FILE, STACK_VARIABLE } from '../processes/testStack.ts';

declare global {
  /** The stack of this test run, from global setup to global teardown. */
  var testStack: Stack | undefined;
}

const PROJECT = 'demo-tattoo-test';

/** Jest's global setup: starts one local stack with demo data on free ports for all tests that use it. */
export default async function setup(): Promise<void> {
  const log = createWriteStream(STACK_LOG_FILE);
  const onLog = (line: string) => log.write(`${line}\n`);
  // Tests can run beside `npm start`, which uses the default ports.
  const [firestore = 0, auth = 0, functions = 0, hosting = 0] = await findFreePorts(4);
  const ports = { firestore, auth, functions, hosting };
  const addresses = getStackAddresses(PROJECT, ports);
  const { signal } = new AbortController();
  process.stderr.write(`Starting the stack; its log is ${STACK_LOG_FILE}\n`);
  const options = { projectId: PROJECT, ports, watch: false, signal, onStep: onLog, onLog };
  globalThis.testStack = await startStack(options);
  await writeDemoData(globalThis.testStack);
  // The workers inherit these variables. They are set after the start: a stack would use the Firestore of the first one.
  process.env.FIRESTORE_EMULATOR_HOST = addresses.firestoreHost;
  process.env[STACK_VARIABLE] = JSON.stringify(addresses);
}
