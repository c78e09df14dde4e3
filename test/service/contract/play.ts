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
  type Writes,
} from './explain.ts';
import type { History } from './generator.ts';
import { people, type Service } from './people.ts';

/** Environment variables that `npm run fuzz` sets. */
const { FUZZ_HISTORIES, FUZZ_SEED = '20261122', FUZZ_PATH } = process.env;

/**
 * Plays random histories, as many at once as there are lanes. Throws an error that shows one that the contract does not
 * explain. Only `npm run fuzz` looks for a simpler one then.
 */
export async function expectExplained(
  service: Service,
  histories: Arbitrary<History>,
  { runs, lanes = 1 }: { readonly runs: number; readonly lanes?: number },
): Promise<void> {
  let played = 0;
  const property = fc.asyncProperty(histories, async (history) => {
    await play(history, service);
    played += 1;
    if (FUZZ_HISTORIES && played % 100 === 0) process.stderr.write(`${played} histories\n`);
  });
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
    const again = `--histories 1${service.strike ? ' --faults' : ''} --seed ${seed}`;
    const { message } = errorInstance as Error;
    throw new Error(
      `${message}\nOnce more: npm run fuzz -- ${again} --path ${counterexamplePath ?? ''}`,
    );
  }
}

/** Plays a history. Throws an error that shows it up to the round that the contract does not explain. */
async function play(history: History, service: Service): Promise<void> {
  const name = `${randomUUID().slice(0, 8)}-`;
  const rounds = JSON.parse(JSON.stringify(history).replaceAll('~', name)) as History;
  const hasFaults = service.strike !== undefined;
  const call = people(service, name);
  const givenOut = new Map<string, readonly Documents[]>();
  const lines: string[] = [];
  let before: Documents = {};
  let late: readonly Exchange[] = [];
  for (const [index, { stored, actions, faults }] of rounds.entries()) {
    const first = stored ? [await write(service.store, stored)] : [];
    const heal = service.strike?.(faults, name);
    const events = await Promise.all(
      actions.map(async (action) => {
        if ('call' in action) return call(action);
        await delay(action.waitMs);
        return write(service.store, action.write);
      }),
    );
    await heal?.();
    const all = Object.entries(await service.store.everything());
    const after = Object.fromEntries(all.filter(([path]) => path.includes(name)));
    const calls = events.filter((event) => 'call' in event);
    const writes = events.filter((event) => 'written' in event);
    lines.push(`Round ${index + 1}`, ...first.map(lineOfWrite), '  At once:');
    lines.push(...faults.map((fault) => `  Fault ${JSON.stringify(fault)}`));
    lines.push(...calls.map(lineOf), ...writes.map(lineOfWrite));
    const happening = {
      ...{ before, after, writes: [...first, ...writes], exchanges: [...late, ...calls] },
      ...{ givenOut, hasFaults },
    };
    const explanation = explain(happening);
    if (explanation === undefined) {
      const shown = ['The contract does not explain this history.', ...lines, ...clues(happening)];
      throw new Error(shown.join('\n').replaceAll(name, '~'));
    }
    for (const { nextPage } of calls) if (nextPage) givenOut.set(nextPage, explanation.path);
    [before, late] = [after, explanation.late];
  }
  await write(service.store, Object.fromEntries(Object.keys(before).map((path) => [path, null])));
}

async function write(store: Store, written: Writes): Promise<DirectWrite> {
  const begin = performance.now();
  await store.write(written);
  return { written, begin, end: performance.now() };
}

function lineOf({ call: { operation, caller = 'nobody', ...sent }, answer }: Exchange): string {
  return `  ${caller} ${operation} ${JSON.stringify(sent)}\n    → ${JSON.stringify(answer)}`;
}

function lineOfWrite({ written }: DirectWrite): string {
  const lines = Object.entries(written).map(
    ([path, data]) => `\n    ${path} ${JSON.stringify(data)}`,
  );
  return `  Stored directly:${lines.join('')}`;
}

/** What was stored after a round, and what each call would have done alone before it. */
function clues({ before, after, exchanges }: Happening): string[] {
  const alone = exchanges.flatMap(({ call, times: [now] }) => {
    const { answer, documents } = perform(call, { documents: before, now });
    return [`  ${call.operation} → ${JSON.stringify(answer)}`, ...changes(before, documents)];
  });
  return ['Stored:', ...changes(before, after), 'The contract, for each call alone:', ...alone];
}

function changes(before: Documents, after: Documents): string[] {
  return changesOf(before, after).map(
    (path) => `    ${path} ${JSON.stringify(before[path])}\n      ⇒ ${JSON.stringify(after[path])}`,
  );
}
