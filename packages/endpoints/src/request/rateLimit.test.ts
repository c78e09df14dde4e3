/** How many requests of a user are served in a minute, and what they weigh. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import {
  createIdTokenClaims,
  signToken,
  createSigningKey,
} from '../../../../dev/fakeGoogle/idTokens.ts';
import { rawRequest } from '../../../../dev/testing/rawRequest.ts';
import { documentIdList } from '../schemas/documentIds.ts';
import { defineEndpoint } from '../defineEndpoint.ts';
import { pageParameters } from '../schemas/pagination.ts';
import { chargeDocuments, chargeRequest } from './rateLimit.ts';
import { userRequestsPerMinute } from '../parameters.ts';
import { useFunctionsEnvironment } from '../../../../dev/testing/functionsEnvironment.ts';
import { useServedEndpoint, DOC_PLACEHOLDERS } from '../../../../dev/testing/servedEndpoint.ts';
import { publishKeys } from '../../../../dev/testing/stubGoogle.ts';

const PROJECT = 'demo-throttled';
const key = createSigningKey('key-1');
let now = 0;

useFunctionsEnvironment(PROJECT);

beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});

/** Sets the limit for this test, and returns a user who has not sent anything yet. */
function userWithLimit(requestsPerMinute: number): string {
  jest.spyOn(userRequestsPerMinute, 'value').mockReturnValue(requestsPerMinute);
  return randomUUID();
}

/** Counts a request of a user with the limit of this test. */
function count(uid: string): void {
  chargeRequest(uid, userRequestsPerMinute.value());
}

/** Charges the documents of a request. */
function countNamed(uid: string, documents: number) {
  return chargeDocuments(uid, userRequestsPerMinute.value(), documents);
}

/** How many of a number of requests of a user are allowed. */
function countAllowed(uid: string, requests: number): number {
  let allowed = 0;
  for (let sent = 0; sent < requests; sent += 1) {
    try {
      count(uid);
      allowed += 1;
    } catch (error) {
      expect(error).toMatchObject({ code: 'resource-exhausted' });
    }
  }
  return allowed;
}

test('a window lasts one minute from the first request, so up to twice the limit passes around its end', () => {
  const user = userWithLimit(3);

  expect(countAllowed(user, 1)).toBe(1);
  now += 59_999;
  expect(countAllowed(user, 1000)).toBe(2);
  now += 1;
  expect(countAllowed(user, 1000)).toBe(3);
  now += 59_999;
  expect(countAllowed(user, 1)).toBe(0);
});

test.each([
  [0, 1],
  [20, 1],
  [21, 2],
  [500, 25],
  // At most the whole limit.
  [5_000, 100],
])('a request with %d documents counts as %d requests', (documents, requests) => {
  const user = userWithLimit(100);

  count(user);
  countNamed(user, documents);

  expect(countAllowed(user, 100)).toBe(100 - requests);
});

test('a request that does not fit is rejected and not counted', async () => {
  const user = userWithLimit(30);
  count(user);
  now += 20_500;
  expect(countNamed(user, 100)).toMatchObject({ RateLimit: '"user";r=25;t=40' });

  const rejected = Promise.try(() => countNamed(user, 540));

  await expect(rejected).rejects.toMatchObject({
    code: 'resource-exhausted',
    headers: { RateLimit: '"user";r=25;t=40', 'Retry-After': '40' },
  });
  expect(countAllowed(user, 100)).toBe(25);
});

test('there is no limit if the parameter is 0', () => {
  const user = userWithLimit(0);

  count(user);
  expect(countNamed(user, 1_000)).toEqual({});
});

test('the counts of 20 000 users are stored, and the least recent ones are forgotten first', () => {
  const [quiet, busy] = [userWithLimit(3), randomUUID()];
  countAllowed(quiet, 3);
  countAllowed(busy, 3);

  for (let other = 0; other < 19_999; other += 1) count(`user-${other}`);
  expect(countAllowed(busy, 1)).toBe(0);
  for (let other = 20_000; other < 30_000; other += 1) count(`user-${other}`);

  expect(countAllowed(busy, 1)).toBe(0);
  expect(countAllowed(quiet, 1)).toBe(1);
});

const declared = {
  ...DOC_PLACEHOLDERS,
  access: 'signedIn',
  response: z.object({ isDone: z.boolean() }),
  handle: () => Promise.resolve({ isDone: true }),
} as const;
const body = z.object({
  ids: documentIdList(500).describe('Documents.').optional(),
  others: z.array(z.number()).optional(),
});
const query = pageParameters({ maxLimit: 100, defaultLimit: 50 });

const named = useServedEndpoint(
  defineEndpoint({ ...declared, method: 'DELETE', path: '/named', allowBodyInQuery: true, body }),
);
const asked = useServedEndpoint(
  defineEndpoint({ ...declared, method: 'GET', path: '/asked', query }),
);
const open = useServedEndpoint(
  defineEndpoint({ ...declared, access: 'public', method: 'GET', path: '/open' }),
);
const rare = useServedEndpoint(
  defineEndpoint({ ...declared, method: 'GET', path: '/rare', requestsPerMinute: 7 }),
);

const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);
const withIds = (ids: string[]) => ({ method: 'DELETE', body: JSON.stringify({ ids }) });
const withQuery = (text: string, method = 'GET') => ({ method, text });

test.each<[what: string, typeof named, { method: string; body?: string; text?: string }, string]>([
  ['41 ids in the body', named, withIds(idsOf(41)), '200 "user";r=47;t=60'],
  [
    'a list that does not contain ids',
    named,
    { method: 'DELETE', body: JSON.stringify({ others: [...Array(41).keys()] }) },
    '200 "user";r=47;t=60',
  ],
  [
    'two lists',
    named,
    { method: 'DELETE', body: JSON.stringify({ ids: idsOf(30), others: [...Array(30).keys()] }) },
    '200 "user";r=47;t=60',
  ],
  ['ids that repeat', named, withIds(idsOf(100).fill('id')), '200 "user";r=49;t=60'],
  [
    'ids in the query',
    named,
    withQuery(`?ids=${idsOf(21).join('&ids=')}`, 'DELETE'),
    '200 "user";r=48;t=60',
  ],
  ['a limit', asked, withQuery('?limit=100'), '200 "user";r=45;t=60'],
  ['the default limit', asked, withQuery(''), '200 "user";r=47;t=60'],
  ['no token, where none is needed', open, withQuery(''), '200 undefined'],
  ['a limit of its endpoint', rare, withQuery(''), '200 "user";r=6;t=60'],
])(
  'a request with %s is charged by its documents, and gets the remaining quota',
  async (_what, served, sent, expected) => {
    publishKeys(key);
    const Authorization = `Bearer ${signToken(key, createIdTokenClaims(PROJECT, userWithLimit(50)))}`;
    const headers = { Authorization, 'Content-Type': 'application/json' };

    const response = await rawRequest(served.origin, `/${sent.text ?? ''}`, { ...sent, headers });

    expect(`${response.status} ${String(response.headers.ratelimit)}`).toBe(expected);
  },
);

test('a user beyond the limit gets 429 and is told how long to wait', async () => {
  publishKeys(key);
  const Authorization = `Bearer ${signToken(key, createIdTokenClaims(PROJECT, userWithLimit(3)))}`;
  const send = async () => rawRequest(asked.origin, '/', { headers: { Authorization } });

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
