/** How many requests of a user are served in a minute, and what they weigh. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { idTokenClaims, signedToken, signingKey } from '../../dev/google/idTokens.ts';
import { rawRequest } from '../../dev/shared/rawRequest.ts';
import { idList } from '../../functions/src/fields.ts';
import { endpoint } from '../../functions/src/http/endpoint.ts';
import { pageParameters } from '../../functions/src/http/pagination.ts';
import { limitDocuments, limitUser } from '../../functions/src/http/rateLimit.ts';
import { userRequestsPerMinute } from '../../functions/src/parameters.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import { servedEndpoint, UNDESCRIBED } from '../support/servedEndpoint.ts';
import { publishKeys } from '../support/simulatedGoogle.ts';

const PROJECT = 'demo-throttled';
const key = signingKey('key-1');

functionsEnvironment(PROJECT);

beforeAll(() => {
  publishKeys(key);
});

let now = 0;

beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});

/** Sets the parameter for this test, and returns a user who has not sent anything yet. */
function userWithLimit(requestsPerMinute: number): string {
  jest.spyOn(userRequestsPerMinute, 'value').mockReturnValue(requestsPerMinute);
  return randomUUID();
}

/** How many of a number of requests of a user are allowed. */
function countAllowed(uid: string, requests: number): number {
  let allowed = 0;
  for (let sent = 0; sent < requests; sent += 1) {
    try {
      limitUser(uid);
      allowed += 1;
    } catch (error) {
      expect(error).toMatchObject({ code: 'resource-exhausted' });
    }
  }
  return allowed;
}

describe('the count of a user', () => {
  test('starts again after a minute', () => {
    const user = userWithLimit(3);

    expect(countAllowed(user, 1000)).toBe(3);
    now += 59_999;
    expect(countAllowed(user, 1)).toBe(0);
    now += 1;
    expect(countAllowed(user, 5)).toBe(3);
  });

  test('is told as the remaining requests and seconds', () => {
    const user = userWithLimit(30);

    expect(limitUser(user)).toEqual({
      'RateLimit-Policy': '"user";q=30;w=60',
      RateLimit: '"user";r=29;t=60',
    });
    now += 20_500;
    expect(limitDocuments(user, 500)).toMatchObject({ RateLimit: '"user";r=5;t=40' });
  });

  test.each([
    [0, 1],
    [1, 1],
    [20, 1],
    [21, 2],
    [40, 2],
    [500, 25],
  ])('is for a request with %d documents as for %d requests', (documents, requests) => {
    const user = userWithLimit(100);

    limitUser(user);
    limitDocuments(user, documents);

    expect(countAllowed(user, 100)).toBe(100 - requests);
  });

  test('is not raised by a request that does not fit', async () => {
    const user = userWithLimit(30);
    limitUser(user);
    limitDocuments(user, 100);

    const refused = Promise.try(() => limitDocuments(user, 540));

    await expect(refused).rejects.toMatchObject({
      code: 'resource-exhausted',
      headers: { RateLimit: '"user";r=25;t=60', 'Retry-After': '60' },
    });
    expect(countAllowed(user, 100)).toBe(25);
  });

  test('is at most the whole limit for one request', () => {
    const user = userWithLimit(3);
    limitUser(user);
    limitDocuments(user, 500);

    expect(countAllowed(user, 1)).toBe(0);
  });

  test('does not exist if the parameter is 0', () => {
    const user = userWithLimit(0);

    expect(limitUser(user)).toEqual({});
    expect(limitDocuments(user, 1_000)).toEqual({});
  });

  test('is stored for 20 000 users, and the least recent ones are forgotten first', () => {
    const [quiet, busy] = [userWithLimit(3), randomUUID()];
    countAllowed(quiet, 3);
    countAllowed(busy, 3);

    for (let other = 0; other < 19_999; other += 1) limitUser(`user-${other}`);
    expect(countAllowed(busy, 1)).toBe(0);
    for (let other = 20_000; other < 30_000; other += 1) limitUser(`user-${other}`);

    expect(countAllowed(busy, 1)).toBe(0);
    expect(countAllowed(quiet, 1)).toBe(1);
  });
});

const declared = {
  ...UNDESCRIBED,
  access: 'signedIn',
  response: z.object({ isDone: z.boolean() }),
  handle: () => Promise.resolve({ isDone: true }),
} as const;
const body = z.object({ ids: idList });

const plain = servedEndpoint(endpoint({ ...declared, method: 'PUT', path: '/plain' }));
const open = servedEndpoint(
  endpoint({ ...declared, access: 'public', method: 'PUT', path: '/open' }),
);
const named = servedEndpoint(
  endpoint({ ...declared, method: 'DELETE', path: '/named', bodyInQuery: true, body }),
);
const asked = servedEndpoint(
  endpoint({
    ...declared,
    method: 'GET',
    path: '/asked',
    query: pageParameters({ max: 100, fallback: 50 }),
  }),
);

/** Sends a request of a user. */
async function send(
  { origin }: typeof plain,
  uid: string,
  { method = 'PUT', query = '', ids = [] as readonly string[] } = {},
) {
  const Authorization = `Bearer ${signedToken(key, idTokenClaims(PROJECT, uid))}`;
  const headers = { Authorization, 'Content-Type': 'application/json' };
  const sent = ids.length > 0 && { body: JSON.stringify({ ids }) };
  return rawRequest(origin, `/${query}`, { method, headers, ...sent });
}

const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);

test('a user beyond the limit gets 429 and is told how long to wait; others do not', async () => {
  const alice = userWithLimit(2);
  expect((await send(plain, alice)).status).toBe(200);
  expect((await send(plain, alice)).status).toBe(200);

  const refused = await send(plain, alice);
  const other = await send(plain, 'bob');

  expect(refused.status).toBe(429);
  expect(refused.headers).toMatchObject({
    'cache-control': 'private, no-store',
    'retry-after': '60',
    ratelimit: '"user";r=0;t=60',
    'ratelimit-policy': '"user";q=2;w=60',
    'access-control-allow-origin': '*',
  });
  expect(other.status).toBe(200);
  expect(other.headers.ratelimit).toBe('"user";r=1;t=60');
});

test('a public endpoint has no limit and tells of none: its responses may be cached', async () => {
  const alice = userWithLimit(1);
  const responses = [await send(open, alice), await send(open, alice)];

  for (const { status, headers } of responses) {
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('ratelimit');
  }
});

test('of requests for 500 documents each, 12 use up a limit of 300', async () => {
  const alice = userWithLimit(300);
  const statuses: number[] = [];
  for (let sent = 0; sent < 14; sent += 1) {
    statuses.push((await send(named, alice, { method: 'DELETE', ids: idsOf(500) })).status);
  }

  expect(statuses).toEqual([...Array<number>(12).fill(200), 429, 429]);
});

test.each<[what: string, typeof plain, Parameters<typeof send>[2], requests: number]>([
  ['41 ids in the body', named, { method: 'DELETE', ids: idsOf(41) }, 3],
  ['ids that repeat', named, { method: 'DELETE', ids: idsOf(100).fill('id') }, 1],
  ['ids in the query', named, { method: 'DELETE', query: `?ids=${idsOf(21).join('&ids=')}` }, 2],
  ['a limit', asked, { method: 'GET', query: '?limit=100' }, 5],
  ['the default limit', asked, { method: 'GET' }, 3],
  ['an invalid limit', asked, { method: 'GET', query: '?limit=1000' }, 1],
])('a request with %s is weighed', async (_what, served, sent, requests) => {
  const alice = userWithLimit(50);

  await send(served, alice, sent);

  expect((await send(plain, alice)).headers.ratelimit).toMatch(`"user";r=${49 - requests};`);
});
