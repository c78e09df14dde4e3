/**
 * Adds the errors that functions logged during a failed test to its failures: a 500 response does not contain its cause.
 * Jest loads this module before each test file.
 */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { addEventHandler, type Event } from 'jest-circus';
import { parseLoggedError, takeLoggedErrors } from './loggedErrors.ts';
import { STACK_LOG_FILE } from '../processes/testStack.ts';

const MAX_ERRORS = 5;

/** Log lines of other processes may arrive after the response. */
const WAIT_MS = 1_000;
const POLL_MS = 50;

const { testPath = '' } = expect.getState();
const usesStack = /\.(stack|browser)\.test\.ts$/.test(testPath);
const usesOtherProcesses = usesStack || testPath.endsWith('.process.test.ts');

/** The number of lines in the log of the stack when the current test started. */
let linesBefore = 0;

addEventHandler(async (event: Event) => {
  if (event.name === 'test_start') {
    takeLoggedErrors();
    linesBefore = readStackLog().length;
  }
  if (event.name === 'test_done' && event.test.errors.length > 0) {
    const errors = await waitForLoggedErrors();
    const messages = [...new Set(errors)].slice(-MAX_ERRORS);
    if (messages.length === 0) return;
    const text = `During this test, functions logged:\n${messages.join('\n')}`;
    event.test.errors.push(Object.assign(new Error(text), { stack: text }));
  }
});

async function waitForLoggedErrors(): Promise<string[]> {
  const end = performance.now() + (usesOtherProcesses ? WAIT_MS : 0);
  let errors = readLoggedErrors();
  while (errors.length === 0 && performance.now() < end) {
    await delay(POLL_MS);
    errors = readLoggedErrors();
  }
  return errors;
}

function readLoggedErrors(): string[] {
  const lines = readStackLog().slice(linesBefore);
  return [...takeLoggedErrors(), ...lines.flatMap((line) => parseLoggedError(line) ?? [])];
}

function readStackLog(): string[] {
  return usesStack && existsSync(STACK_LOG_FILE)
    ? readFileSync(STACK_LOG_FILE, 'utf8').split('\n')
    : [];
}
