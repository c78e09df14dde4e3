/**
 * Valid and almost valid requests, generated from the OpenAPI document, and the rules for every response. `npm run
 * fuzz` runs it longer; environment variables set the length and the seed.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { deployedEndpoints, type DeployedEndpoint } from '../../support/deployMap.ts';
import type { Data } from '../../emulator/firestore/store.ts';
import { storeExampleWorld } from '../../support/exampleRequests.ts';
import { inProcessService } from '../../support/inProcessService.ts';
import type { RawResponse } from '../../support/rawRequest.ts';
import { fuzzRequests, OPERATIONS, type FuzzRequest } from './requests.ts';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 400);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
const FUZZ_PATH = process.env.FUZZ_PATH;

const ALICE = { uid: 'alice', prefix: 'alices' } as const;
const BOB = { uid: 'bob', prefix: 'bobs' } as const;
const service = inProcessService();

/** How many responses each operation sent with each status. */
const statuses = new Map(OPERATIONS.map((operation) => [operation, new Map<number, number>()]));
let stored: Record<string, Data> = {};

/** Existing values for a field: stored ids, or for a cursor the ids of its list. */
function known(field: string): readonly string[] {
  if (field === 'cursor' || field === 'conversationId') return ['alices-0'];
  if (field === 'artistId') return ['alice', 'alice', 'alice', 'bob'];
  // Mostly Alice, who has documents.
  return field === 'id' || field.endsWith('Id') || field.endsWith('Ids')
    ? ['alices-0', 'alices-1', 'alices-2', 'alice', 'bobs-0']
    : [];
}

async function send(request: FuzzRequest): Promise<RawResponse> {
  const { operation, method, path, headers, body, caller } = request;
  const token = caller === 'nobody' ? {} : { Authorization: `Bearer ${service.tokenOf(caller)}` };
  return service.send(endpointOf(operation).functionId, path, {
    method,
    headers: { ...token, ...headers },
    ...(body !== undefined && { body }),
  });
}

async function expectDocumented(request: FuzzRequest): Promise<void> {
  const before = await service.store.usage();
  // This also checks the status, headers and body against the document.
  const response = await send(request);
  const after = await service.store.usage();
  const counts = statuses.get(request.operation);
  counts?.set(response.status, (counts.get(response.status) ?? 0) + 1);

  expect(response.status).toBeLessThan(500);
  expect(Object.keys(Object.prototype)).toEqual([]);
  const wrote = after.writes + after.deletes - before.writes - before.deletes;
  if (response.status >= 400) {
    expect(wrote).toBe(0);
    if (request.method !== 'HEAD') {
      expect(Object.keys(JSON.parse(response.text) as object)).toEqual(['message']);
    }
  }
  if (request.isValid && request.caller === 'alice' && response.status === 400) {
    // No schema can say whether a cursor belongs to a list.
    expect(response.text).toBe('{"message":"cursor is not an element of this list."}');
  }
  if (
    request.isValid &&
    request.caller === 'nobody' &&
    endpointOf(request.operation).endpoint.declaration.access === 'signedIn'
  ) {
    expect(response.status).toBe(401);
  }
  if (response.status === 200 && request.method === 'GET') {
    expect((await send(request)).text).toBe(response.text);
  }
  if (wrote > 0) await changedOnlyTheirOwn(request);
}

function endpointOf(operation: string): DeployedEndpoint {
  const deployed = deployedEndpoints.find(({ operationId }) => operationId === operation);
  if (deployed === undefined) throw new Error(`There is no operation ${operation}.`);
  return deployed;
}

/** Expects that a request changed only documents of its caller, and restores these. */
async function changedOnlyTheirOwn({ caller }: FuzzRequest): Promise<void> {
  const paths = Object.keys(stored);
  const now = await service.store.getAll(paths);
  const changed = paths.filter((path) => !isDeepStrictEqual(now[path], stored[path]));
  const theirs = caller === 'alice' ? /\/alices?(-\d)?$/ : /\/bobs?(-\d)?$/;

  expect(changed.filter((path) => !theirs.test(path))).toEqual([]);
  await service.store.setAll(changed.map((path) => [path, stored[path] ?? {}]));
}

/** Shows the progress, in one line on a terminal. */
function progress(done: number, began: number): void {
  if (process.env.FUZZ_REQUESTS === undefined || done % 50 !== 0) return;
  const seconds = (performance.now() - began) / 1000;
  const left = ((REQUESTS - done) * seconds) / done;
  const line = `${done} of ${REQUESTS} requests, ${(done / seconds).toFixed(0)} a second, ${left.toFixed(0)} s left`;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${line}`);
  else if (done % 500 === 0) process.stderr.write(`${line}\n`);
}

test(
  'every generated request gets a response as documented',
  async () => {
    await storeExampleWorld(service.store, ALICE);
    await storeExampleWorld(service.store, BOB);
    stored = await service.store.everything();
    const began = performance.now();
    let done = 0;

    await fc.assert(
      fc.asyncProperty(fuzzRequests(known), async (request) => {
        await expectDocumented(request);
        progress((done += 1), began);
      }),
      { seed: SEED, numRuns: REQUESTS, ...(FUZZ_PATH && { path: FUZZ_PATH }) },
    );

    // Nothing was added.
    expect(Object.keys(await service.store.everything())).toEqual(Object.keys(stored));
    const rows = [...statuses].map(([operation, counts]) => {
      const sorted = [...counts].sort(([a], [b]) => a - b);
      return `${operation.padEnd(40)} ${sorted.map(([status, times]) => `${status}: ${times}`).join(', ')}`;
    });
    process.stderr.write(`\n${rows.join('\n')}\n${done} requests, seed ${SEED}\n`);
    if (FUZZ_PATH !== undefined) return;
    for (const [operation, counts] of statuses) {
      // A run without a success or without an error has tested nothing.
      expect([operation, counts.has(200)]).toEqual([operation, true]);
      expect([operation, [...counts.keys()].some((status) => status >= 400)]).toEqual([
        operation,
        true,
      ]);
    }
  },
  24 * 60 * 60 * 1000,
);
