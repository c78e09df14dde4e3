/**
 * The rules for every response, whatever was sent. `npm run fuzz` runs it longer; environment variables set the length
 * and the seed.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Data } from '../../dev/shared/store.ts';
import { deployedEndpoint, deployedEndpoints, fileOf } from '../../dev/shared/deployMap.ts';
import { requireDocumented } from '../../dev/shared/documented.ts';
import { storeExampleWorld } from '../../dev/shared/exampleRequests.ts';
import { inProcessService } from '../support/inProcessService.ts';
import type { RawResponse } from '../../dev/shared/rawRequest.ts';
import { expectRefusal } from '../service/refusal.ts';
import { ALICE, BOB, fuzzRequests, otherHeader, type FuzzRequest } from './requests.ts';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 34 * deployedEndpoints.length);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
const FUZZ_PATH = process.env.FUZZ_PATH;

/** What no schema can say about a request, as the service says it. */
const BEYOND_SCHEMAS = new RegExp(
  [
    'is not an element of this list',
    'must be later than',
    'is required if',
    'must not be repeated',
    'must not have an array directly inside an array',
    'a field whose name is',
  ].join('|'),
);

/** No error may contain this. */
const SECRETS =
  /node_modules|\.(cjs|mjs|ts|js):\d|\bat \w+ \(|firestore|firebase-|grpc|zod|express|demo-in-process|projects\/|secret/i;

const service = inProcessService();

/** The functions that returned 200. */
const succeeded = new Set<string>();
let stored: Record<string, Data> = {};

async function send(request: FuzzRequest, other: object = {}): Promise<RawResponse> {
  const { functionId, caller } = request;
  const token = caller === 'nobody' ? {} : { Authorization: `Bearer ${service.tokenOf(caller)}` };
  const headers = { ...token, ...request.headers, ...other };
  return service.send(functionId, { ...request, headers });
}

async function expectDocumented(request: FuzzRequest, other: object): Promise<void> {
  const before = await service.store.usage();
  // This also checks the status, headers and body against the document.
  const response = await send(request);
  const after = await service.store.usage();
  const { status, headers, text } = response;
  const { functionId } = request;
  if (status === 200) succeeded.add(functionId);

  expect(status).toBeLessThan(500);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(headers).not.toHaveProperty('set-cookie');
  expect(headers).not.toHaveProperty('x-powered-by');
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
  const wrote = after.writes + after.deletes - before.writes - before.deletes;
  if (status >= 400) {
    expect(wrote).toBe(0);
    const message = request.method === 'HEAD' ? 'None.' : expectRefusal(response);
    expect(message).toMatch(/^\w.{0,300}\.$/);
    expect(message).not.toMatch(SECRETS);
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
  if (wrote > 0) await expectOwnChanged(request);
}

/** Expects that a request changed only documents of its caller, and restores them. */
async function expectOwnChanged({ caller }: FuzzRequest): Promise<void> {
  const now = await service.store.everything();
  const changed = Object.keys(stored).filter((path) => !isDeepStrictEqual(now[path], stored[path]));
  const theirs = new RegExp(`/${caller}s?(-\\d)?$`);

  expect(changed.filter((path) => !theirs.test(path))).toEqual([]);
  expect(Object.keys(now).filter((path) => !(path in stored))).toEqual([]);
  await service.store.setAll(changed.map((path) => [path, stored[path] ?? {}]));
}

test(
  'every generated request gets a response as documented',
  async () => {
    await storeExampleWorld(service.store, ALICE);
    await storeExampleWorld(service.store, BOB);
    stored = await service.store.everything();
    let done = 0;

    await fc.assert(
      fc.asyncProperty(fuzzRequests, otherHeader, async (request, [name, value]) => {
        await expectDocumented(request, { [name]: value });
        done += 1;
        if (process.env.FUZZ_REQUESTS && done % 500 === 0)
          process.stderr.write(`${done} requests\n`);
      }),
      { seed: SEED, numRuns: REQUESTS, ...(FUZZ_PATH && { path: FUZZ_PATH }) },
    );

    if (FUZZ_PATH !== undefined) return;
    const withoutSuccess = deployedEndpoints
      .filter(({ functionId }) => !succeeded.has(functionId))
      .map((deployed) => `The example of ${fileOf(deployed)} never got 200.`);
    expect(withoutSuccess).toEqual([]);
  },
  24 * 60 * 60 * 1000,
);

const LISTINGS = '/flash/artist/alice/paginated?limit=1';
const HEADERS = ['x-request-id', 'cache-control', 'etag', 'x-error-code'];
const EMPTY = '{"flash":[],"total":0,"hasMore":false}';
const LISTING = { id: 'a', price: { secret: 1 } };

test.each<[fault: string, response: Partial<RawResponse>, method?: string, path?: string]>([
  ['a status that is not documented', { status: 402, text: '{"message":"No."}' }],
  ["required property 'total'", { text: '{"flash":[],"hasMore":false}' }],
  ['must be integer', { text: EMPTY.replace('0', '"0"') }],
  ['additional prop', { text: EMPTY.replace('[]', JSON.stringify([LISTING])) }],
  ['additional properties', { status: 400, text: '{"message":"No.","stack":"…"}' }],
  ['without the header X-Request-Id', { headers: {} }],
  ['with a body', { status: 304 }],
  ['to a method that is not documented', {}, 'PUT'],
  ['and there is nothing', {}, 'GET', '/nothing'],
])('a response %s would be found', (fault, other, method = 'GET', path = LISTINGS) => {
  const headers = Object.fromEntries(HEADERS.map((name) => [name, 'x']));
  const response = { status: 200, headers, text: EMPTY };

  expect(() => {
    requireDocumented('GET', LISTINGS, response);
  }).not.toThrow();
  expect(() => {
    requireDocumented(method, path, { ...response, ...other });
  }).toThrow(fault);
});
