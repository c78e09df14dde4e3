/** Runs histories on a service, and checks each step. */
import { randomInt, randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc, { type Arbitrary } from 'fast-check';
import type { EmulatorClient } from '@tattoo-marketplace/firestore-embedded';
import { buildExampleRequest, type ExampleRequest } from '../support/requests/exampleRequests.ts';
import { runsAllCases } from '../support/jest/testCases.ts';
import type { RawResponse } from '../support/requests/sendRawRequest.ts';
import type { Fault, History } from './histories.ts';
import { findDifference } from './linearizability.ts';
import type { HistoryOperation, Response, State } from './endpointModel.ts';

/** The service under test. */
export interface Service {
  readonly store: EmulatorClient;
  readonly createIdToken: (uid: string) => string | Promise<string>;
  readonly send: (functionId: string, request: ExampleRequest) => Promise<RawResponse>;
  /** Injects faults into its calls to Firestore that contain a string, until the returned function is called. */
  readonly injectFaults?: (faults: readonly Fault[], contains: string) => () => void;
}

// `FUZZ_HISTORIES` is the number of histories of a search with other seeds and with shrinking. `FUZZ_SEED` and
// `FUZZ_PATH` repeat a failure.
const { FUZZ_HISTORIES, FUZZ_PATH } = process.env;
const searches = FUZZ_HISTORIES !== undefined;
const { FUZZ_SEED = searches ? String(randomInt(2 ** 31)) : '20261122' } = process.env;

/** The share of the histories that runs, because all of them take minutes. */
const SHARE = runsAllCases ? 1 : 1 / 5;

// Enough for a loaded machine or Google's emulator; a day for a search.
jest.setTimeout((searches ? 24 * 60 : 10) * 60_000);

/**
 * Runs random histories, several at once, of which there are `all`. Throws an error that shows the first step that differs
 * from the contract.
 */
export async function expectLinearizable(
  service: Service,
  histories: Arbitrary<History>,
  { all, concurrency = 1 }: { readonly all: number; readonly concurrency?: number },
): Promise<void> {
  const readState = createStateReader(service.store);
  const run = (history: History) => runHistory(history, service, readState);
  const property = fc.asyncProperty(histories, run);
  const numRuns = Math.ceil(countHistories(all) / concurrency);
  const options = { numRuns, endOnFailure: !searches, ...(FUZZ_PATH && { path: FUZZ_PATH }) };
  const checks = Array.from({ length: FUZZ_PATH ? 1 : concurrency }, (_, index) =>
    fc.check(property, { ...options, seed: Number(FUZZ_SEED) + index }),
  );
  for (const { failed, seed, errorInstance, counterexamplePath } of await Promise.all(checks)) {
    if (!failed) continue;
    const variables = `FUZZ_HISTORIES=1 FUZZ_SEED=${seed} FUZZ_PATH=${counterexamplePath}`;
    const file = relative('.', expect.getState().testPath ?? '');
    throw new Error(
      `The service differs from the contract. To reproduce and shrink it:\n${variables} npm test -- ${file} -t linearizable\n${(errorInstance as Error).message}`,
    );
  }
}

/** Returns the number of histories to run. */
function countHistories(all: number): number {
  return searches ? Number(FUZZ_HISTORIES) : all * SHARE;
}

/** Reads the documents that contain a prefix, by path. Other histories may run at the same time. */
type StateReader = (prefix: string) => Promise<State>;

/** Creates a reader. Calls during a read of the database share the next one. */
function createStateReader(store: EmulatorClient): StateReader {
  let last: Promise<unknown> = Promise.resolve();
  let next: ReturnType<typeof readAll> | undefined;
  const readAll = async () => {
    next = undefined;
    const documents = Object.entries(await store.getAllDocuments());
    return documents.map(([path, data]) => ({ path, data, text: path + JSON.stringify(data) }));
  };
  return async (prefix) => {
    if (next === undefined) last = next = last.then(readAll);
    const own = (await next).filter(({ text }) => text.includes(prefix));
    return Object.fromEntries(own.map(({ path, data }) => [path, data]));
  };
}

async function runHistory(
  history: History,
  service: Service,
  readState: StateReader,
): Promise<void> {
  const { store, injectFaults } = service;
  const prefix = `${randomUUID().slice(0, 8)}-`;
  const { initial, steps } = JSON.parse(JSON.stringify(history).replaceAll('~', prefix)) as History;
  await store.write(initial);
  let before = await readState(prefix);
  for (const { operations, faults } of steps) {
    const clearFaults = injectFaults?.(faults, prefix);
    const observe = async (operation: HistoryOperation) => {
      return { operation, response: await execute(operation, service, prefix) };
    };
    const observed = await Promise.all(operations.map(observe));
    clearFaults?.();
    const after = await readState(prefix);
    const difference = findDifference(before, observed, after);
    if (difference !== undefined) throw new Error(formatDifference(difference, prefix));
    before = after;
  }
  await store.write(Object.fromEntries(Object.keys(before).map((path) => [path, null])));
}

/** Replaces the prefix by `~`, and long repetitions by their count: `xxx…` by `x×1501`. */
function formatDifference(difference: string, prefix: string): string {
  const collapse = (run: string, unit: string) => `${unit}×${run.length / unit.length}`;
  return difference.replaceAll(prefix, '~').replace(/(.{1,20}?)\1{29,}/gs, collapse);
}

/** Executes an operation of the history with this prefix. */
async function execute(
  operation: HistoryOperation,
  service: Service,
  prefix: string,
): Promise<Response> {
  if ('writes' in operation) {
    await delay(operation.waitMs);
    await service.store.write(operation.writes);
    return { body: {} };
  }
  const { functionId, callerId, ...input } = operation;
  const token = callerId === undefined ? undefined : await service.createIdToken(callerId);
  const request = buildExampleRequest(functionId, input, token);
  const { status, headers, text } = await service.send(functionId, request);
  if (status >= 500 && !service.injectFaults) throw new Error(`${functionId}: ${status} ${text}`);
  if (status !== 200) return { code: String(headers['x-error-code']) };
  const body: unknown = JSON.parse(text);
  // Other histories may have stored artists.
  const isOwn = ({ id }: { id: string }) => id.startsWith(prefix);
  return { body: Array.isArray(body) ? body.filter(isOwn) : body };
}
