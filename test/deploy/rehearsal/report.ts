import type { CliEnd } from '../firebaseCli.ts';

const began = performance.now();
const found: string[] = [];

/** What is wrong, of all that was checked so far. */
export const faults: readonly string[] = found;

/** Names what begins now, with the seconds since the start. */
export function step(title: string): void {
  console.log(`${Math.round((performance.now() - began) / 1000)} s  ${title}`);
}

/** Shows something to whoever reads the rehearsal. */
export function show(line: string): void {
  console.log(`        ${line}`);
}

/** Says whether something is as it should be, and remembers where it is not. */
export function check(what: string, outcome: readonly string[] | boolean): void {
  const wrong = typeof outcome === 'boolean' ? (outcome ? [] : [what]) : outcome;
  console.log(`  ${wrong.length === 0 ? 'ok   ' : 'WRONG'} ${what}`);
  wrong.forEach(show);
  found.push(...wrong);
}

/** Checks how a command has ended; where it is not as expected, shows all that it has printed. */
export function checkEnd(
  what: string,
  { status, output }: CliEnd,
  expected: { readonly status: number; readonly says?: string },
): void {
  const isRight = status === expected.status && output.includes(expected.says ?? '');
  check(what, isRight ? [] : [`It ended with ${String(status)}:\n${output}`]);
}
