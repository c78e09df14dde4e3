import { readFileSync } from 'node:fs';
import { START_FAILURE_HEADER } from '../emulator/emulators.ts';
import { STACK_VARIABLE, testStack } from './stack.ts';

/** Only a call that never gets a response takes this long, even on a slow machine. */
const CALL_LIMIT_MS = 180_000;

const LOG_LINES = 20;

/** Makes a call with a time limit; the error has its name. */
export async function withCallLimit<Result>(
  name: string,
  call: (limit: AbortSignal) => Promise<Result>,
  limitMs = CALL_LIMIT_MS,
): Promise<Result> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await call(limit);
  } catch (error) {
    if (!limit.aborted) throw error;
    const fault = `${name} got no response within ${limitMs / 1000} s.`;
    throw new Error(`${fault}${endOfStackLog()}`, { cause: error });
  }
}

/** Throws the emulator's message and log if it could not start the called function. */
export function requireStarted(
  name: string,
  header: (name: string) => unknown,
  text: string,
): void {
  if (!header(START_FAILURE_HEADER)) return;
  throw new Error(`${name} reached no function. ${text}${endOfStackLog()}`);
}

/** The last lines of the stack's log, if a stack is running. */
function endOfStackLog(): string {
  if (process.env[STACK_VARIABLE] === undefined) return '';
  const { logFile } = testStack();
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-LOG_LINES);
  return ` The last lines of ${logFile}:\n${lines.join('\n')}`;
}
