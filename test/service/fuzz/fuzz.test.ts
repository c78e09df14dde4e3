/**
 * The rules for every response, whatever was sent. `npm run fuzz` runs it longer; environment variables set the length
 * and the seed.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Data } from '../../emulator/firestore/store.ts';
import { deployedEndpoint, deployedEndpoints } from '../../support/deployMap.ts';
import { requireDocumented, type Exchange } from '../../support/documented.ts';
import { storeExampleWorld } from '../../support/exampleRequests.ts';
import { inProcessService } from '../../support/inProcessService.ts';
import type { RawResponse } from '../../support/rawRequest.ts';
import { ALICE, BOB, fuzzRequests, otherHeader, type FuzzRequest } from './requests.ts';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 400);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
const FUZZ_PATH = process.env.FUZZ_PATH;

/** What no schema can say about a request, as the service says it. */
const BEYOND_SCHEMAS = new RegExp(
  [
    'is not an element of this list',
    'must be later than',
    'is required if',
    'must not be repeated',
    'must not be an array directly inside an array',
    'a field whose name is',
  ].join('|'),
);

/** No error may contain this. */
const SECRETS =
  /node_modules|\.(cjs|mjs|ts|js):\d|\bat \w+ \(|firestore|firebase-|grpc|zod|express|demo-in-process|projects\/|secret/i;

/** The fields that requests may change, by collection. */
const CHANGEABLE: Readonly<Record<string, readonly string[]>> = {
  availability: [
    ...['isActive', 'weeklySlots', 'dateRangeType', 'effectiveFrom', 'effectiveUntil'],
    ...['rollingDays', 'updatedAt'],
  ],
  bookings: ['sessions'],
  flash: ['isAvailable', 'order', 'updatedAt'],
  unavailableEvents: ['title', 'date', 'startTime', 'endTime'],
  users: ['newNotificationsCount'],
};

const service = inProcessService();

/** How many responses each function sent with each status. */
const statuses = new Map(
  deployedEndpoints.map(({ functionId }) => [functionId, new Map<number, number>()]),
);
let stored: Record<string, Data> = {};

async function send(request: FuzzRequest, other: object = {}): Promise<RawResponse> {
  const { functionId, method, path, headers, body, caller } = request;
  const token = caller === 'nobody' ? {} : { Authorization: `Bearer ${service.tokenOf(caller)}` };
  return service.send(functionId, path, {
    method,
    headers: { ...token, ...headers, ...other },
    ...(body !== undefined && { body }),
  });
}

async function expectDocumented(request: FuzzRequest, other: object): Promise<void> {
  const before = await service.store.usage();
  // This also checks the status, headers and body against the document.
  const response = await send(request);
  const after = await service.store.usage();
  const { status, headers, text } = response;
  const { functionId } = request;
  const counts = statuses.get(functionId);
  counts?.set(status, (counts.get(status) ?? 0) + 1);

  expect(status).toBeLessThan(500);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(headers).not.toHaveProperty('set-cookie');
  expect(headers).not.toHaveProperty('x-powered-by');
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
  const wrote = after.writes + after.deletes - before.writes - before.deletes;
  if (status >= 400) {
    expect(wrote).toBe(0);
    if (request.method !== 'HEAD') expectRefusal(response);
  }
  if (request.isValid && request.caller === 'alice' && status === 400) {
    expect(text).toMatch(BEYOND_SCHEMAS);
  }
  if (request.isValid && request.caller === 'nobody') {
    expect(status === 401).toBe(
      deployedEndpoint(functionId).endpoint.declaration.access === 'signedIn',
    );
  }
  if (status === 200 && request.method === 'GET') {
    expect((await send(request, other)).text).toBe(text);
  }
  if (wrote > 0) await changedOnlyTheirOwn(request);
}

function expectRefusal({ headers, text }: RawResponse): void {
  expect(headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/) as string,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  const { message, ...rest } = JSON.parse(text) as { message: string };
  expect(rest).toEqual({});
  expect(message).toMatch(/^\w.{0,300}\.$/);
  expect(message).not.toMatch(SECRETS);
}

/** Expects that a request changed only documents of its caller, and fields that requests may change; restores them. */
async function changedOnlyTheirOwn({ caller }: FuzzRequest): Promise<void> {
  const paths = Object.keys(stored);
  const now = await service.store.getAll(paths);
  const changed = paths.filter((path) => !isDeepStrictEqual(now[path], stored[path]));
  const theirs = caller === 'alice' ? /\/alices?(-\d)?$/ : /\/bobs?(-\d)?$/;

  expect(changed.filter((path) => !theirs.test(path))).toEqual([]);
  for (const path of changed) {
    // Undefined if it was deleted.
    const after = now[path];
    if (after === undefined) continue;
    const fields = Object.keys({ ...stored[path], ...after });
    const [collection = ''] = path.split('/');
    const others = fields.filter((name) => !CHANGEABLE[collection]?.includes(name));
    expect(others.filter((name) => !isDeepStrictEqual(after[name], stored[path]?.[name]))).toEqual(
      [],
    );
  }
  await service.store.setAll(changed.map((path) => [path, stored[path] ?? {}]));
}

/** Shows the progress of a long run. */
function progress(done: number, began: number): void {
  if (process.env.FUZZ_REQUESTS === undefined || done % 500 !== 0) return;
  const rate = (done * 1000) / (performance.now() - began);
  process.stderr.write(`${done} of ${REQUESTS} requests, ${rate.toFixed(0)} a second\n`);
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
      fc.asyncProperty(fuzzRequests, otherHeader, async (request, [name, value]) => {
        await expectDocumented(request, { [name]: value });
        progress((done += 1), began);
      }),
      { seed: SEED, numRuns: REQUESTS, ...(FUZZ_PATH && { path: FUZZ_PATH }) },
    );

    // Nothing was added.
    expect(Object.keys(await service.store.everything())).toEqual(Object.keys(stored));
    if (FUZZ_PATH !== undefined) return;
    // A run without a success or without an error has tested nothing.
    for (const [functionId, counts] of statuses) {
      const found = [...counts.keys()].map((status) => status >= 400);
      expect([functionId, new Set(found)]).toEqual([functionId, new Set([false, true])]);
    }
  },
  24 * 60 * 60 * 1000,
);

const LISTING = { id: 'a', price: { secret: 1 } };

test.each<[Partial<Exchange>, fault: string]>([
  [{ status: 402, text: '{"message":"No."}' }, 'a status that is not documented'],
  [{ text: '{"flash":[],"hasMore":false}' }, "required property 'total'"],
  [{ text: '{"flash":[],"total":"0","hasMore":false}' }, 'must be integer'],
  [{ text: JSON.stringify({ flash: [LISTING], total: 1, hasMore: false }) }, 'additional prop'],
  [{ status: 400, text: '{"message":"No.","stack":"…"}' }, 'additional properties'],
  [{ header: () => undefined }, 'without the header X-Request-Id'],
  [{ status: 304 }, 'with a body'],
  [{ method: 'PUT' }, 'to a method that is not documented'],
  [{ path: '/nothing' }, 'and there is nothing'],
])('the response %j would be found', (fields, fault) => {
  const response: Exchange = {
    method: 'GET',
    path: '/flash/artist/alice/paginated?limit=1',
    status: 200,
    header: (name) => name,
    text: '{"flash":[],"total":0,"hasMore":false}',
  };

  expect(() => {
    requireDocumented(response);
  }).not.toThrow();
  expect(() => {
    requireDocumented({ ...response, ...fields });
  }).toThrow(fault);
});
