import { randomUUID } from 'node:crypto';
import type { Request } from 'firebase-functions/https';
import * as z from 'zod';
import { endpoint } from '../../functions/src/http/endpoint.ts';
import { addressOf, limitAddress, limitUser } from '../../functions/src/http/rateLimit.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import { publishKeys } from '../support/simulatedGoogle.ts';
import { idTokenClaims, signedToken, signingKey } from '../../dev/google/idTokens.ts';
import { rawRequest, type RawResponse } from '../../dev/shared/rawRequest.ts';
import { servedEndpoint, UNDESCRIBED } from '../support/servedEndpoint.ts';

const PROJECT = 'demo-throttled';
const TOO_MANY = 'Too many requests. Please wait a little.';
const key = signingKey('key-1');
const done = {
  ...UNDESCRIBED,
  method: 'POST',
  response: z.object({ isDone: z.boolean() }),
  handle: () => Promise.resolve({ isDone: true }),
} as const;
const open = servedEndpoint(endpoint({ ...done, path: '/open', access: 'public' }));
const closed = servedEndpoint(endpoint({ ...done, path: '/closed', access: 'signedIn' }));

functionsEnvironment(PROJECT, {
  ADDRESS_REQUESTS_PER_MINUTE: '5',
  USER_REQUESTS_PER_MINUTE: '3',
});

beforeAll(() => {
  publishKeys(key);
});

/** An address that no other test uses. */
function freshAddress(): string {
  return `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1`;
}

/** Sends as many requests. Returns their statuses, and the headers of the last response. */
async function send(
  times: number,
  { origin }: typeof open,
  headersOf: () => Readonly<Record<string, string>>,
  { method = 'POST', path = '/' } = {},
) {
  const responses: RawResponse[] = [];
  for (let sent = 0; sent < times; sent += 1) {
    responses.push(await rawRequest(origin, path, { method, headers: headersOf() }));
  }
  return { statuses: responses.map(({ status }) => status), headers: responses.at(-1)?.headers };
}

/** The header that the platform's front end sets. */
const from = (address: string) => () => ({ 'X-Forwarded-For': address });
const by = (uid: string, signed = key) => {
  const Authorization = `Bearer ${signedToken(signed, idTokenClaims(PROJECT, uid))}`;
  return () => ({ 'X-Forwarded-For': freshAddress(), Authorization });
};

test('refuses the requests of an address beyond the parameter, and says how long to wait', async () => {
  const { statuses, headers } = await send(7, open, from(freshAddress()));

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect(headers).toMatchObject({
    'cache-control': 'private, no-store',
    'retry-after': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/) as string,
    ratelimit: expect.stringMatching(/^"address";r=0;t=\d+$/) as string,
    'ratelimit-policy': '"address";q=5;w=60',
    'access-control-allow-origin': '*',
  });
});

test('counts a user’s requests per account, from any address, if they authenticate', async () => {
  const forged = await send(4, closed, by('alice', signingKey('key-2')));
  const hers = await send(5, closed, by('alice'));
  const { headers } = await send(1, closed, by('bob'));

  expect(forged.statuses).toEqual([401, 401, 401, 401]);
  expect(hers.statuses).toEqual([200, 200, 200, 429, 429]);
  expect(headers).toMatchObject({
    ratelimit: expect.stringMatching(/^"user";r=2;t=\d+$/) as string,
    'ratelimit-policy': '"user";q=3;w=60',
  });
});

test.each<[string, typeof open, string, string, number[]]>([
  ['counts requests that fail to authenticate', closed, 'POST', '/', [401, 429]],
  ['counts no preflight', open, 'OPTIONS', '/', [204]],
  ['counts no request with another method', open, 'GET', '/', [405]],
  ['counts no request to another path', open, 'POST', '/nothing', [404]],
])('%s', async (_what, served, method, path, expected) => {
  const { statuses } = await send(6, served, from(freshAddress()), { method, path });

  expect([...new Set(statuses)]).toEqual(expected);
});

test('is not told to anonymous callers: the response may be cached, and sent to others', async () => {
  const { headers } = await send(1, open, from(freshAddress()));

  expect(headers).not.toHaveProperty('ratelimit');
  expect(headers).not.toHaveProperty('ratelimit-policy');
});

describe('the count', () => {
  let now = Date.UTC(2026, 0, 1);

  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  /** How many of a number of simultaneous requests of a caller are allowed. */
  function countAllowed(caller: string, requests: number): number {
    return Array.from({ length: requests }, () => {
      try {
        return limitUser(caller);
      } catch (error) {
        expect(error).toMatchObject({ code: 'resource-exhausted', message: TOO_MANY });
        return undefined;
      }
    }).filter(Boolean).length;
  }

  test('is exact within one turn of the event loop, and starts again after a minute', () => {
    const caller = randomUUID();

    expect(countAllowed(caller, 1000)).toBe(3);
    now += 59_999;
    expect(countAllowed(caller, 1)).toBe(0);
    now += 1;
    expect(countAllowed(caller, 5)).toBe(3);
  });

  test('is sent as the remaining requests and seconds, separately for users and addresses', () => {
    const caller = randomUUID();

    expect(limitUser(caller)).toMatchObject({ RateLimit: '"user";r=2;t=60' });
    now += 20_500;
    expect(limitUser(caller)).toMatchObject({ RateLimit: '"user";r=1;t=40' });
    expect(limitAddress(caller)).toMatchObject({ RateLimit: '"address";r=4;t=60' });
  });

  test('has no limit if the parameter is 0', () => {
    process.env.ADDRESS_REQUESTS_PER_MINUTE = '0';
    for (let sent = 0; sent < 10; sent += 1) expect(limitAddress('a')).toEqual({});
    process.env.ADDRESS_REQUESTS_PER_MINUTE = '5';
  });

  test('is stored for 20 000 callers, and the least recent ones are forgotten first', () => {
    const [quiet, busy] = [randomUUID(), randomUUID()];
    countAllowed(quiet, 3);
    countAllowed(busy, 3);

    for (let other = 0; other < 19_999; other += 1) limitUser(`caller-${other}`);
    expect(countAllowed(busy, 1)).toBe(0);
    for (let other = 20_000; other < 30_000; other += 1) limitUser(`caller-${other}`);

    expect(countAllowed(busy, 1)).toBe(0);
    expect(countAllowed(quiet, 1)).toBe(1);
  });
});

test.each([
  ['10.1.2.3', undefined, '10.1.2.3'],
  ['10.1.2.3', '', '10.1.2.3'],
  ['10.1.2.3', '1.1.1.1, 192.0.2.7', '192.0.2.7'],
  ['10.1.2.3', ['1.1.1.1', '2.2.2.2,192.0.2.7'], '192.0.2.7'],
  ['10.1.2.3', 'nonsense', 'nonsense'],
  ['10.1.2.3', 'non:sense', 'non:sense'],
  ['::ffff:10.1.2.3', undefined, '10.1.2.3'],
  ['::ffff:1234:5678', undefined, '0:0:0:0'],
  ['10.1.2.3', '::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2'],
  ['10.1.2.3', '2001:0DB8:0001:0002::', '2001:db8:1:2'],
  ['10.1.2.3', '2001:db8::1', '2001:db8:0:0'],
  ['10.1.2.3', '::1', '0:0:0:0'],
  ['fe80::1%eth0', undefined, 'fe80:0:0:0'],
])('derives from peer %s and X-Forwarded-For %j the address %s', (remoteAddress, sent, address) => {
  const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': sent } };

  expect(addressOf(request as unknown as Request)).toBe(address);
});
