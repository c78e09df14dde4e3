import { createWriteStream } from 'node:fs';
import { writeDemoData } from '../emulator/demo/write.ts';
import { freePorts } from '../emulator/ports.ts';
import { startStack, type Stack } from '../emulator/stack.ts';
import { STACK_VARIABLE, type StackAddresses } from './stack.ts';

declare global {
  /** The stack of this test run, from global setup to global teardown. */
  var testStack: Stack | undefined;
}

const LOG_FILE = 'test-stack.log';

/** Jest's global setup: starts one local stack with demo data on free ports for all emulator tests. */
export default async function setup(): Promise<void> {
  const log = createWriteStream(LOG_FILE);
  const stack = await startStack({
    projectId: 'demo-tattoo-test',
    ports: await freePorts(),
    watch: false,
    signal: new AbortController().signal,
    onStep: (step) => process.stderr.write(`${step}\n`),
    onLog: (line) => log.write(`${line}\n`),
  });
  await writeDemoData(stack);
  process.stderr.write(`The stack is running; its log is ${LOG_FILE}\n`);
  globalThis.testStack = stack;
  process.env.FIRESTORE_EMULATOR_HOST = stack.firestoreHost;
  process.env[STACK_VARIABLE] = JSON.stringify({
    ...stack,
    logFile: LOG_FILE,
  } satisfies StackAddresses);
}
