import { deepStrictEqual, partialDeepStrictEqual } from 'node:assert';
import type { CommandEnd } from './commands.ts';

const began = performance.now();
const found: string[] = [];

/** All problems found so far. */
export const faults: readonly string[] = found;

/** Prints the title of the next step, with the seconds since the start. */
export function step(title: string): void {
  console.log(`${Math.round((performance.now() - began) / 1000)} s  ${title}`);
}

/** Prints a detail. */
export function show(line: string): void {
  console.log(`        ${line}`);
}

/** Prints the result of a check, and records its problems. */
export function check(what: string, outcome: readonly string[] | boolean): void {
  const wrong = typeof outcome === 'boolean' ? (outcome ? [] : [what]) : outcome;
  console.log(`  ${wrong.length === 0 ? 'ok   ' : 'WRONG'} ${what}`);
  wrong.forEach(show);
  found.push(...wrong);
}

/** Checks that something is as expected, exactly or in the expected parts; prints the differences if it is not. */
export function checkEqual(
  what: string,
  found: unknown,
  expected: unknown,
  assertEqual: typeof deepStrictEqual | typeof partialDeepStrictEqual = deepStrictEqual,
): void {
  try {
    assertEqual(found, expected);
    check(what, true);
  } catch (error) {
    check(what, [`${what}: ${(error as Error).message}`]);
  }
}

/** Checks the exit status and the output of a command; prints the whole output if they are not as expected. */
export function checkEnd(
  what: string,
  { status, output }: CommandEnd,
  expected: { readonly status: number; readonly prints?: string },
): void {
  const isRight = status === expected.status && output.includes(expected.prints ?? '');
  check(what, isRight ? [] : [`Exit status ${String(status)}:\n${output}`]);
}
