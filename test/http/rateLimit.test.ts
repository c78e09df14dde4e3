import { randomUUID } from 'node:crypto';
import type { Request } from 'firebase-functions/https';
import * as z from 'zod';
import { endpoint } from '../../functions/src/http/endpoint.ts';
import { addressOf, limitAddress, limitUser } from '../../functions/src/http/rateLimit.ts';
import { HttpError } from '../../functions/src/platform/errors.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import { noKeyServer, publishKeys } from '../support/googleKeys.ts';
import { idTokenClaims, signedToken, signingKey } from '../emulator/google/idTokens.ts';
import { rawRequest, type RawResponse } from '../support/rawRequest.ts';
import { servedEndpoint, UNDESCRIBED } from '../support/servedEndpoint.ts';

const PROJECT = 'demo-throttled';
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

afterAll(noKeyServer);

/** An address that no other test uses. */
function freshAddress(): string {
  return `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1`;
}

/** Sends as many requests, from an address in the header that the platform's front end sets. */
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
  return { statuses: responses.map(({ status }) => status), last: responses.at(-1) };
}

const from = (address: string) => () => ({ 'X-Forwarded-For': address });
const by = (uid: string, signed = key) => {
  const Authorization = `Bearer ${signedToken(signed, idTokenClaims(PROJECT, uid))}`;
  return () => ({ 'X-Forwarded-For': freshAddress(), Authorization });
};

test('allows an address, which no client can forge, as many requests as the parameter says', async () => {
  const address = freshAddress();

  const { statuses, last } = await send(7, open, () => ({
    'X-Forwarded-For': `${freshAddress()}, ${address}`,
    'X-Real-IP': freshAddress(),
    Forwarded: `for="[${freshAddress()}]"`,
  }));

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect(JSON.parse(last?.text ?? '')).toEqual({
    message: 'Too many requests. Please wait a little.',
  });
  expect(last?.headers).toMatchObject({
    'cache-control': 'private, no-store',
    'retry-after': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/) as string,
    ratelimit: expect.stringMatching(/^"address";r=0;t=\d+$/) as string,
    'ratelimit-policy': '"address";q=5;w=60',
    'access-control-allow-origin': '*',
  });
});

test('counts a user’s requests per account, from any address', async () => {
  expect((await send(5, closed, by('alice'))).statuses).toEqual([200, 200, 200, 429, 429]);
  const { statuses, last } = await send(1, closed, by('bob'));

  expect(statuses).toEqual([200]);
  expect(last?.headers).toMatchObject({
    ratelimit: expect.stringMatching(/^"user";r=2;t=\d+$/) as string,
    'ratelimit-policy': '"user";q=3;w=60',
  });
});

test('counts requests that fail to authenticate, but not against the user they name', async () => {
  const address = from(freshAddress());
  expect((await send(6, closed, address)).statuses).toEqual([401, 401, 401, 401, 401, 429]);

  const forged = by('carol', signingKey('key-2'));
  expect((await send(4, closed, forged)).statuses).toEqual([401, 401, 401, 401]);
  expect((await send(1, closed, by('carol'))).last?.headers.ratelimit).toMatch(/^"user";r=2;/);
});

test('counts no preflight, nor what is at another path or with another method', async () => {
  const address = from(freshAddress());
  for (const [method, path, status] of [
    ['OPTIONS', '/', 204],
    ['GET', '/', 405],
    ['POST', '/nothing', 404],
  ] as const) {
    const { statuses } = await send(6, open, address, { method, path });
    expect(new Set(statuses)).toEqual(new Set([status]));
  }

  const { statuses, last } = await send(1, open, address);
  expect(statuses).toEqual([200]);
  // The response may be cached, and sent to others.
  expect(last?.headers).not.toHaveProperty('ratelimit');
  expect(last?.headers).not.toHaveProperty('ratelimit-policy');
});

describe('the count', () => {
  let now = 0;

  beforeEach(() => {
    now = Date.UTC(2026, 0, 1);
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  /** How many of a number of simultaneous requests of a caller are allowed. */
  function countAllowed(caller: string, requests: number): number {
    return Array.from({ length: requests }, () => {
      try {
        limitUser(caller);
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(HttpError);
        return false;
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
  ['::ffff:10.1.2.3', undefined, '10.1.2.3'],
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
