/** Plays histories to the service, and fails where the contract does not explain what it does. */
import { randomInt, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc, { type Arbitrary } from 'fast-check';
import { perform } from './contract.ts';
import { changesOf, explain, idsOf, type Exchange, type Happening } from './explain.ts';
import type { History, Round } from './generator.ts';
import { people, type Service } from './people.ts';
import type { Documents } from './rules.ts';

/**
 * For a longer run: how many histories. One that fails is simplified then. `FUZZ_SEED` and `FUZZ_PATH` repeat a failure,
 * which names them.
 */
const { FUZZ_HISTORIES, FUZZ_PATH } = process.env;
const { FUZZ_SEED = FUZZ_HISTORIES ? String(randomInt(2 ** 31)) : '20261122' } = process.env;

/** How long it may take, in ms: what a loaded machine or Google's emulator needs, or a day for what was asked for. */
export const LIMIT_MS = (FUZZ_HISTORIES ? 24 * 60 : 3) * 60_000;

/**
 * Plays random histories, as many at once as there are lanes. Throws an error that shows one that the contract does not
 * explain.
 */
export async function expectExplained(
  service: Service,
  histories: Arbitrary<History>,
  { runs, lanes = 1 }: { readonly runs: number; readonly lanes?: number },
): Promise<void> {
  const property = fc.asyncProperty(histories, (history) => play(history, service));
  const numRuns = Math.ceil(Number(FUZZ_HISTORIES ?? runs) / lanes);
  const parameters = {
    numRuns,
    endOnFailure: !FUZZ_HISTORIES,
    ...(FUZZ_PATH && { path: FUZZ_PATH }),
  };
  const ends = await Promise.all(
    Array.from({ length: FUZZ_PATH ? 1 : lanes }, async (_, lane) =>
      fc.check(property, { ...parameters, seed: Number(FUZZ_SEED) + lane }),
    ),
  );
  for (const { failed, seed, errorInstance, counterexamplePath } of ends) {
    if (!failed) continue;
    const again = `FUZZ_HISTORIES=1 FUZZ_SEED=${seed} FUZZ_PATH=${counterexamplePath ?? ''}`;
    const file = `test/contract/${service.strike ? 'faults.process' : 'contract'}.test.ts`;
    const [headline, ...history] = (errorInstance as Error).message.split('\n');
    const command = `${again} npm test -- ${file} -t 'every answer'`;
    throw new Error([`${headline} Run it again: ${command}`, ...history].join('\n'));
  }
}

/** Plays a history. Throws an error that shows it up to the round that the contract does not explain. */
async function play(history: History, service: Service): Promise<void> {
  const name = `${randomUUID().slice(0, 8)}-`;
  const hasFaults = service.strike !== undefined;
  const call = people(service, name);
  const lines: string[] = [];
  let before: Documents = {};
  let late: readonly Exchange[] = [];
  for (const [index, round] of history.entries()) {
    const text = JSON.stringify(round).replaceAll('~', name);
    const { first, actions, faults } = JSON.parse(text) as Round;
    const stored = first ? [await call(first)] : [];
    const heal = service.strike?.(faults, name);
    const calls = [...stored, ...(await Promise.all(actions.map(call)))];
    heal?.();
    const all = Object.entries(await service.store.getAllDocuments());
    const isOurs = ([path, data]: readonly [string, object]) =>
      path.includes(name) || JSON.stringify(data).includes(name);
    const after = Object.fromEntries(all.filter(isOurs));
    lines.push(`Round ${index + 1}`, ...faults.map((fault) => `  Fault ${JSON.stringify(fault)}`));
    lines.push(...calls.map(lineOf));
    const happening = { before, after, exchanges: [...late, ...calls], hasFaults };
    const stillLate = explain(happening);
    if (stillLate === undefined) {
      const shown = [headlineOf(happening, stored), ...lines, 'Stored:', ...changes(before, after)];
      throw new Error(shortened(shown.join('\n').replaceAll(name, '~')));
    }
    [before, late] = [after, stillLate];
  }
  await service.store.write(Object.fromEntries(Object.keys(before).map((path) => [path, null])));
}

/** A text in which long repetitions are counted. */
function shortened(text: string): string {
  return text.replace(/(.)\1{99,}/gs, (all, each: string) => `${each}×${all.length}`);
}

function lineOf({ call: { functionId, caller = 'nobody', ...sent }, answer }: Exchange): string {
  return `  ${caller} ${functionId} ${JSON.stringify(sent)}\n    → ${JSON.stringify(answer)}`;
}

/** What is wrong: an answer that the contract does not give if the call comes alone after the first write, or what is stored. */
function headlineOf(happening: Happening, first: readonly Exchange[]): string {
  const start = first.reduce(
    (documents, { call, now }) => perform(call, { documents, now }).documents,
    happening.before,
  );
  for (const exchange of happening.exchanges.filter((each) => !first.includes(each))) {
    const { call, answer, now } = exchange;
    const [id] = idsOf(exchange, happening);
    const expected = perform(call, { documents: start, now, id }).answer;
    if (isDeepStrictEqual(answer, expected)) continue;
    return `${call.functionId} got ${JSON.stringify(answer)}, the contract says ${JSON.stringify(expected)}.`;
  }
  return 'What is stored is not what the contract says.';
}

function changes(before: Documents, after: Documents): string[] {
  return changesOf(before, after).map(
    (path) => `    ${path} ${JSON.stringify(before[path])}\n      ⇒ ${JSON.stringify(after[path])}`,
  );
}
