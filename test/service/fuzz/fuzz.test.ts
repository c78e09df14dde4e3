/**
 * Requests made from the OpenAPI document, valid and nearly so, and what holds of every answer. `npm run fuzz` runs it
 * longer; the environment says how long, and with which seed.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { deployedEndpoints } from '../../support/deployMap.ts';
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

/** How often each operation was answered with each status. */
const statuses = new Map(OPERATIONS.map((operation) => [operation, new Map<number, number>()]));
let stored = new Map<string, object>();

/** Texts that a field may name: all that is stored, and for a cursor what its list holds. */
function known(field: string): readonly string[] {
  if (field === 'cursor' || field === 'conversationId') return ['alices-0'];
  if (field === 'artistId') return ['alice', 'alice', 'alice', 'bob'];
  // Whoever lists an artist's things.
  return field === 'id' || field.endsWith('Id') || field.endsWith('Ids')
    ? ['alices-0', 'alices-1', 'alices-2', 'alice', 'bobs-0']
    : [];
}

/** Every document, by its path. */
async function everything(): Promise<Map<string, object>> {
  const names = deployedEndpoints.map(({ group }) => COLLECTIONS[group] ?? group);
  const found = await Promise.all(
    [...new Set(names)].map((name) => service.firestore.collectionGroup(name).get()),
  );
  return new Map(
    found.flatMap(({ docs }) => docs.map((document) => [document.ref.path, document.data()])),
  );
}

/** The collections that are not called as the group of their endpoints; messages are looked at as what is in one. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  artists: 'users',
  notifications: 'users',
  conversations: 'messages',
};

async function send(request: FuzzRequest): Promise<RawResponse> {
  const { operation, method, path, headers, body, caller } = request;
  const token = caller === 'nobody' ? {} : { Authorization: `Bearer ${service.tokenOf(caller)}` };
  return service.send(operation, path, {
    method,
    headers: { ...token, ...headers },
    ...(body !== undefined && { body }),
  });
}

async function holds(request: FuzzRequest): Promise<void> {
  const before = await service.control.usage(service.projectId);
  // Holds the answer to the document, too: its status, its headers and its body.
  const answer = await send(request);
  const after = await service.control.usage(service.projectId);
  const counts = statuses.get(request.operation);
  counts?.set(answer.status, (counts.get(answer.status) ?? 0) + 1);

  expect(answer.status).toBeLessThan(500);
  expect(Object.keys(Object.prototype)).toEqual([]);
  const wrote = after.writes + after.deletes - before.writes - before.deletes;
  if (answer.status >= 400) {
    expect(wrote).toBe(0);
    if (request.method !== 'HEAD') {
      expect(Object.keys(JSON.parse(answer.text) as object)).toEqual(['message']);
    }
  }
  if (request.isValid && request.caller === 'alice' && answer.status === 400) {
    // Whether a cursor is of a list, what is stored says, and no schema can.
    expect(answer.text).toBe('{"message":"cursor is not an element of this list."}');
  }
  if (request.isValid && request.caller === 'nobody' && !isPublic(request.operation)) {
    expect(answer.status).toBe(401);
  }
  if (answer.status === 200 && request.method === 'GET') {
    expect((await send(request)).text).toBe(answer.text);
  }
  if (wrote > 0) await changedOnlyTheirOwn(request);
}

function isPublic(functionId: string): boolean {
  return (
    deployedEndpoints.find((one) => one.functionId === functionId)?.endpoint.declaration.access ===
    'public'
  );
}

/** Expects that a request changed nothing that is not its caller's; stores again what it changed. */
async function changedOnlyTheirOwn({ caller }: FuzzRequest): Promise<void> {
  const paths = [...stored.keys()];
  const now = await service.firestore.getAll(...paths.map((path) => service.firestore.doc(path)));
  const changed = paths.filter(
    (path, index) => !isDeepStrictEqual(now[index]?.data(), stored.get(path)),
  );
  const theirs = caller === 'alice' ? /\/alices?(-\d)?$/ : /\/bobs?(-\d)?$/;

  expect(changed.filter((path) => !theirs.test(path))).toEqual([]);
  const batch = service.firestore.batch();
  for (const path of changed) batch.set(service.firestore.doc(path), stored.get(path) ?? {});
  await batch.commit();
}

/** Shows how far it is, in place where there is a terminal. */
function progress(done: number, began: number): void {
  if (process.env.FUZZ_REQUESTS === undefined || done % 50 !== 0) return;
  const seconds = (performance.now() - began) / 1000;
  const left = ((REQUESTS - done) * seconds) / done;
  const line = `${done} of ${REQUESTS} requests, ${(done / seconds).toFixed(0)} a second, ${left.toFixed(0)} s left`;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${line}`);
  else if (done % 500 === 0) process.stderr.write(`${line}\n`);
}

test(
  'every request that the document describes, or nearly, is answered as it says',
  async () => {
    await storeExampleWorld(service.firestore, ALICE);
    await storeExampleWorld(service.firestore, BOB);
    stored = await everything();
    const began = performance.now();
    let done = 0;

    await fc.assert(
      fc.asyncProperty(fuzzRequests(known), async (request) => {
        await holds(request);
        progress((done += 1), began);
      }),
      { seed: SEED, numRuns: REQUESTS, ...(FUZZ_PATH && { path: FUZZ_PATH }) },
    );

    // Nothing was added, either.
    expect((await everything()).size).toBe(stored.size);
    const rows = [...statuses].map(([operation, counts]) => {
      const sorted = [...counts].sort(([a], [b]) => a - b);
      return `${operation.padEnd(40)} ${sorted.map(([status, times]) => `${status}: ${times}`).join(', ')}`;
    });
    process.stderr.write(`\n${rows.join('\n')}\n${done} requests, seed ${SEED}\n`);
    if (FUZZ_PATH !== undefined) return;
    for (const [operation, counts] of statuses) {
      // A run that reaches no success, or no refusal, has shown nothing.
      expect([operation, counts.has(200)]).toEqual([operation, true]);
      expect([operation, [...counts.keys()].some((status) => status >= 400)]).toEqual([
        operation,
        true,
      ]);
    }
  },
  24 * 60 * 60 * 1000,
);
