import { createWriteStream } from 'node:fs';
import { createServer } from 'node:net';
import { stackAddresses } from '../../dev/addresses.ts';
import { writeDemoData } from '../../demo/write.ts';
import { freePortList, listen } from '../../dev/ports.ts';
import { startStack, type Stack } from '../../dev/stack.ts';
import type { StackOptions } from '../../dev/stackOptions.ts';
import { STACK_VARIABLE, type TestStack } from './testStack.ts';

declare global {
  /** The stack of this test run, from global setup to global teardown. */
  var testStack: { stop(): Promise<void> } | undefined;
}

const LOG_FILE = 'test-stack.log';
const PROJECT = 'demo-tattoo-test';

/**
 * Jest's global setup: starts one local stack with demo data on free ports for all tests that use it. It does not wait for
 * the stack: other tests run meanwhile, and those that use it wait themselves (awaitStack.ts).
 */
export default async function setup(): Promise<void> {
  const log = createWriteStream(LOG_FILE);
  const onLog = (line: string) => log.write(`${line}\n`);
  // Free ones, so that tests can run next to a running service.
  const [firestore = 0, auth = 0, functions = 0, hosting = 0] = await freePortList(4);
  const ports = { firestore, auth, functions, hosting };
  const addresses = stackAddresses(PROJECT, ports);
  const start = new AbortController();
  const { signal } = start;
  process.stderr.write(`Starting the stack; what it logs is in ${LOG_FILE}\n`);
  const options = { projectId: PROJECT, ports, watch: false, signal, onStep: onLog, onLog };
  const starting = startWithData(options);
  const fault = starting.then(() => '', String);
  const server = createServer((socket) => {
    // A test that was stopped while it waited.
    socket.on('error', () => socket.destroy());
    void fault.then((text) => socket.end(text));
  });
  const startPort = await listen(server);
  globalThis.testStack = {
    stop: async () => {
      start.abort();
      server.close();
      if ((await fault) === '') await (await starting).stop();
    },
  };
  // The workers inherit these. Not earlier: a stack takes the first for a Firestore that runs already.
  process.env.FIRESTORE_EMULATOR_HOST = addresses.firestoreHost;
  const stack: TestStack = { ...addresses, logFile: LOG_FILE, startPort };
  process.env[STACK_VARIABLE] = JSON.stringify(stack);
}

async function startWithData(options: StackOptions): Promise<Stack> {
  const stack = await startStack(options);
  await writeDemoData(stack);
  return stack;
}
