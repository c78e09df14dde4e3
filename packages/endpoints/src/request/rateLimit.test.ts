/** The rate limit of a user, and the cost of a request. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import {
  createIdTokenClaims,
  signToken,
  createSigningKey,
} from '../../../../test/support/google/idTokens.ts';
import { sendRawRequest } from '../../../../test/support/requests/sendRawRequest.ts';
import { documentIdList } from '../schemas/documentIds.ts';
import { defineEndpoint } from '../defineEndpoint.ts';
import { pageParameters } from '../schemas/pagination.ts';
import { chargeDocuments, chargeRequest } from './rateLimit.ts';
import { userRequestsPerMinute } from '../declaration/parameters.ts';
import { useFunctionsEnvironment } from '../../../../test/support/jest/isolateEnvironment.ts';
import {
  useServedEndpoint,
  DOC_PLACEHOLDERS,
} from '../../../../test/support/processes/servedEndpoint.ts';
import { publishKeys } from '../../../../test/support/google/stubGoogle.ts';

const PROJECT = 'demo-throttled';
const key = createSigningKey('key-1');
let now = 0;

useFunctionsEnvironment(PROJECT);

beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});

/** Sets the quota for this test. Returns a user who has sent nothing yet. */
function createUserWithQuota(requestsPerMinute: number): string {
  jest.spyOn(userRequestsPerMinute, 'value').mockReturnValue(requestsPerMinute);
  return randomUUID();
}

function chargeOneRequest(uid: string): void {
  chargeRequest(uid, userRequestsPerMinute.value());
}

/** Charges the rest of the cost of a request that refers to this many documents. */
function chargeRequestedDocuments(uid: string, documents: number) {
  return chargeDocuments(uid, userRequestsPerMinute.value(), documents);
}

/** Charges requests one by one. Returns the number of those that the limit allows. */
function countAllowedRequests(uid: string, requests: number): number {
  let allowedRequests = 0;
  for (let request = 0; request < requests; request += 1) {
    try {
      chargeOneRequest(uid);
      allowedRequests += 1;
    } catch (error) {
      expect(error).toMatchObject({ code: 'resource-exhausted' });
    }
  }
  return allowedRequests;
}

test('a window lasts one minute from the first request, so up to twice the quota passes around its end', () => {
  const user = createUserWithQuota(3);

  expect(countAllowedRequests(user, 1)).toBe(1);
  now += 59_999;
  expect(countAllowedRequests(user, 1000)).toBe(2);
  now += 1;
  expect(countAllowedRequests(user, 1000)).toBe(3);
  now += 59_999;
  expect(countAllowedRequests(user, 1)).toBe(0);
});

test.each([
  { documents: 0, cost: 1 },
  { documents: 20, cost: 1 },
  { documents: 21, cost: 2 },
  { documents: 500, cost: 25 },
  // The entire quota is the maximum.
  { documents: 5_000, cost: 100 },
])('a request for $documents documents costs $cost of 100 requests', ({ documents, cost }) => {
  const user = createUserWithQuota(100);

  chargeOneRequest(user);
  chargeRequestedDocuments(user, documents);

  expect(countAllowedRequests(user, 100)).toBe(100 - cost);
});

test('a request that exceeds the quota is rejected without being charged', async () => {
  const user = createUserWithQuota(30);
  chargeOneRequest(user);
  now += 20_500;
  expect(chargeRequestedDocuments(user, 100)).toMatchObject({ RateLimit: '"user";r=25;t=40' });

  const result = Promise.try(() => chargeRequestedDocuments(user, 540));

  await expect(result).rejects.toMatchObject({
    code: 'resource-exhausted',
    headers: { RateLimit: '"user";r=25;t=40', 'Retry-After': '40' },
  });
  expect(countAllowedRequests(user, 100)).toBe(25);
});

test('a quota of 0 disables the limit', () => {
  const user = createUserWithQuota(0);

  chargeOneRequest(user);
  expect(chargeRequestedDocuments(user, 1_000)).toEqual({});
});

test('the windows of 20 000 users are kept, and those of the least recently active are dropped', () => {
  const [inactiveUser, activeUser] = [createUserWithQuota(3), randomUUID()];
  countAllowedRequests(inactiveUser, 3);
  countAllowedRequests(activeUser, 3);

  for (let user = 0; user < 19_999; user += 1) chargeOneRequest(`user-${user}`);
  expect(countAllowedRequests(activeUser, 1)).toBe(0);
  for (let user = 20_000; user < 30_000; user += 1) chargeOneRequest(`user-${user}`);

  expect(countAllowedRequests(activeUser, 1)).toBe(0);
  expect(countAllowedRequests(inactiveUser, 1)).toBe(1);
});

const DECLARATION = {
  ...DOC_PLACEHOLDERS,
  access: 'signedIn',
  response: z.object({ isDone: z.boolean() }),
  handle: () => Promise.resolve({ isDone: true }),
} as const;
const body = z.object({
  ids: documentIdList(500).describe('Documents.').optional(),
  numbers: z.array(z.number()).optional(),
});
const query = pageParameters({ maxLimit: 100, defaultLimit: 50 });

const removal = useServedEndpoint(
  defineEndpoint({
    ...DECLARATION,
    method: 'DELETE',
    path: '/remove',
    allowBodyInQuery: true,
    body,
  }),
);
const list = useServedEndpoint(
  defineEndpoint({ ...DECLARATION, method: 'GET', path: '/list', query }),
);
const publicRead = useServedEndpoint(
  defineEndpoint({ ...DECLARATION, access: 'public', method: 'GET', path: '/public' }),
);

function createIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `id-${index}`);
}

function createNumbers(count: number): number[] {
  return [...Array(count).keys()];
}

/** Signs in a new user with this quota. */
function authorize(requestsPerMinute: number): { readonly Authorization: string } {
  publishKeys(key);
  const claims = createIdTokenClaims(PROJECT, createUserWithQuota(requestsPerMinute));
  return { Authorization: `Bearer ${signToken(key, claims)}` };
}

test.each<{ name: string; ids?: string[]; numbers?: number[]; cost: number }>([
  { name: '41 IDs', ids: createIds(41), cost: 3 },
  { name: '41 items that are not IDs', numbers: createNumbers(41), cost: 3 },
  {
    name: '30 items in each of two lists',
    ids: createIds(30),
    numbers: createNumbers(30),
    cost: 3,
  },
  { name: '100 times the same ID', ids: createIds(100).fill('id'), cost: 1 },
])('a body with $name costs $cost of 50 requests', async ({ ids, numbers, cost }) => {
  const { headers } = await sendRawRequest(removal.origin, '/', {
    method: 'DELETE',
    headers: { ...authorize(50), 'Content-Type': 'application/json' },
    body: JSON.stringify({ ids, numbers }),
  });

  expect(headers.ratelimit).toBe(`"user";r=${50 - cost};t=60`);
});

test('21 IDs in the query cost 2 of 50 requests', async () => {
  const { headers } = await sendRawRequest(removal.origin, `/?ids=${createIds(21).join('&ids=')}`, {
    method: 'DELETE',
    headers: authorize(50),
  });

  expect(headers.ratelimit).toBe('"user";r=48;t=60');
});

test.each([
  { name: 'a limit of 100', query: '?limit=100', cost: 5 },
  { name: 'the default limit of 50', query: '', cost: 3 },
])('a page with $name costs $cost of 50 requests', async ({ query, cost }) => {
  const { headers } = await sendRawRequest(list.origin, `/${query}`, { headers: authorize(50) });

  expect(headers.ratelimit).toBe(`"user";r=${50 - cost};t=60`);
});

test('a public endpoint has no rate limit, even for a signed-in user', async () => {
  const { status, headers } = await sendRawRequest(publicRead.origin, '/', {
    headers: authorize(50),
  });

  expect(status).toBe(200);
  expect(headers.ratelimit).toBeUndefined();
});

test('a user beyond the quota gets 429 with the time to wait', async () => {
  const headers = authorize(3);
  const send = async () => sendRawRequest(list.origin, '/', { headers });

  expect((await send()).status).toBe(200);
  expect(await send()).toMatchObject({
    status: 429,
    headers: {
      'cache-control': 'private, no-store',
      'retry-after': '60',
      ratelimit: '"user";r=0;t=60',
      'ratelimit-policy': '"user";q=3;w=60',
      'access-control-allow-origin': '*',
    },
  });
});
