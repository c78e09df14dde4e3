/** Plays histories to the service, and fails where the contract does not explain what it does. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import fc, { type Arbitrary } from 'fast-check';
import type { Store } from '../../emulator/firestore/store.ts';
import { perform, type Documents } from './contract.ts';
import {
  changesOf,
  explain,
  type DirectWrite,
  type Exchange,
  type Happening,
  type Late,
  type Writes,
} from './explain.ts';
import { PATHS, type History } from './generator.ts';
import { People, type Service } from './people.ts';

/** Environment variables that `npm run fuzz` sets. */
const { FUZZ_HISTORIES, FUZZ_SEED = '20261122', FUZZ_PATH: path } = process.env;
/** Neither a repeated failure nor one of `npm run mutants` needs a simpler history. */
const SIMPLIFIES = path === undefined && process.env.__STRYKER_ACTIVE_MUTANT__ === undefined;

interface Options {
  /** How many histories are played by default, and how many of them at once. */
  readonly runs: number;
  readonly lanes?: number;
  /** Whether to look for a simpler history after a failure. */
  readonly simplifies?: boolean;
}

/** Plays random histories. Throws an error that shows one that the contract does not explain. */
export async function expectExplained(
  service: Service,
  histories: Arbitrary<History>,
  { runs, lanes = 1, simplifies = SIMPLIFIES }: Options,
): Promise<void> {
  let played = 0;
  const property = fc.asyncProperty(histories, async (history) => {
    await play(history, service);
    played += 1;
    if (FUZZ_HISTORIES && played % 100 === 0) process.stderr.write(`${played} histories\n`);
  });
  const ways = path === undefined ? lanes : 1;
  const numRuns = Math.ceil(Number(FUZZ_HISTORIES ?? runs) / ways);
  const ends = await Promise.all(
    Array.from({ length: ways }, async (_, lane) => {
      const seed = Number(FUZZ_SEED) + lane;
      const chosen = { seed, numRuns, endOnFailure: !simplifies, ...(path && { path }) };
      return fc.check(property, chosen);
    }),
  );
  for (const { failed, seed, errorInstance, counterexamplePath } of ends) {
    if (!failed) continue;
    const again = `npm run fuzz -- --histories 1${service.strike ? ' --faults' : ''} --seed ${seed}`;
    const { message } = errorInstance as Error;
    throw new Error(`${message}\nOnce more: ${again} --path ${counterexamplePath ?? ''}`);
  }
}

/** Plays a history. Throws an error that shows it up to the round that the contract does not explain. */
async function play(history: History, service: Service): Promise<void> {
  const name = `${randomUUID().slice(0, 8)}-`;
  const rounds = JSON.parse(JSON.stringify(history).replaceAll('~', name)) as History;
  // Also documents that no call may create.
  const paths = PATHS.flatMap((path) => [path, path.replace(/\d$/, '9'), 'users/~dave']);
  const written = rounds.flatMap(({ stored = {}, actions }) =>
    [stored, ...actions.map((action) => ('write' in action ? action.write : {}))].flatMap(
      Object.keys,
    ),
  );
  const watched = [...new Set([...paths.map((path) => path.replaceAll('~', name)), ...written])];
  const people = new People(service, name);
  const lines: string[] = [];
  let before: Documents = {};
  let late: readonly Late[] = [];
  for (const [index, { stored, actions, faults = [] }] of rounds.entries()) {
    const first = stored ? [await write(service.store, stored)] : [];
    const heal = service.strike?.(faults, name);
    const events = await Promise.all(
      actions.map(async (action) => {
        if ('call' in action) return people.call(action);
        await delay(action.waitMs);
        return write(service.store, action.write);
      }),
    );
    await heal?.();
    const after = await service.store.getAll(watched);
    const calls = events.filter((event) => 'call' in event);
    const exchanges = people.exchangesOf(calls);
    const writes = events.filter((event) => 'written' in event);
    const hasFaults = service.strike !== undefined;
    const happening = { before, after, writes: [...first, ...writes], exchanges, late, hasFaults };
    const direct = (written: DirectWrite) => lineOfWrite(written, before);
    lines.push(`Round ${index + 1}`, ...first.map(direct), '  At once:');
    lines.push(...faults.map((fault) => `  Fault ${JSON.stringify(fault)}`));
    lines.push(...exchanges.map(lineOf), ...writes.map(direct));
    const explanation = explain(happening);
    if (explanation === undefined) {
      const shown = ['The contract does not explain this history.', ...lines, ...clues(happening)];
      throw new Error(shown.join('\n').replaceAll(name, '~'));
    }
    people.remember(calls, explanation.path);
    [before, late] = [after, explanation.late];
  }
  await write(service.store, Object.fromEntries(watched.map((path) => [path, null])));
}

async function write(store: Store, written: Writes): Promise<DirectWrite> {
  const begin = performance.now();
  await store.write(written);
  return { written, begin, end: performance.now() };
}

function lineOf({ call: { operation, caller = 'nobody', ...sent }, answer }: Exchange): string {
  return `  ${caller} ${operation} ${JSON.stringify(sent)}\n    → ${JSON.stringify(answer)}`;
}

function lineOfWrite({ written }: DirectWrite, before: Documents): string {
  const lines = Object.entries(written)
    .filter(([path, data]) => data !== null || path in before)
    .map(([path, data]) => `\n    ${path} ${JSON.stringify(data)}`);
  return `  Stored directly:${lines.join('')}`;
}

/** What was stored after a round, and what each call would have done alone before it. */
function clues({ before, after, exchanges }: Happening): string[] {
  const alone = exchanges.flatMap(({ call, times: [now], givenOut: [remembered] }) => {
    let outcome = perform(call, { documents: before, now, remembered });
    while ('next' in outcome) outcome = outcome.next(before);
    const answer = `  ${call.operation} → ${JSON.stringify(outcome.answer)}`;
    return [answer, ...changes(before, outcome.documents)];
  });
  return ['Stored:', ...changes(before, after), 'The contract, for each call alone:', ...alone];
}

function changes(before: Documents, after: Documents): string[] {
  return changesOf(before, after).map(
    (path) => `    ${path} ${JSON.stringify(before[path])}\n      ⇒ ${JSON.stringify(after[path])}`,
  );
}
