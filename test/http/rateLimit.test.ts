import { randomUUID } from 'node:crypto';
import type { Request } from 'firebase-functions/https';
import * as z from 'zod';
import { endpoint } from '../../functions/src/http/endpoint.ts';
import { addressOf, limitAddress, limitUser } from '../../functions/src/http/rateLimit.ts';
import { HttpError } from '../../functions/src/platform/errors.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import { noKeyServer, publishKeys } from '../support/googleKeys.ts';
import { idTokenClaims, signedToken, signingKey } from '../emulator/google/idTokens.ts';
import { serveInProcess, type ServedEndpoint } from '../support/inProcess.ts';
import { rawRequest, type RawResponse } from '../support/rawRequest.ts';

const PROJECT = 'demo-throttled';
const key = signingKey('key-1');
const otherKey = signingKey('key-2');

const contract = {
  method: 'POST',
  summary: 'Echo',
  description: 'Returns true.',
  response: z.object({ isDone: z.boolean() }),
  errors: {},
  handle: () => Promise.resolve({ isDone: true }),
} as const;

let open: ServedEndpoint;
let closed: ServedEndpoint;

functionsEnvironment(PROJECT, {
  ADDRESS_REQUESTS_PER_MINUTE: '5',
  USER_REQUESTS_PER_MINUTE: '3',
});

beforeAll(async () => {
  publishKeys(key);
  open = await serveInProcess(endpoint({ ...contract, path: '/open', access: 'public' }));
  closed = await serveInProcess(endpoint({ ...contract, path: '/closed', access: 'signedIn' }));
});

afterAll(async () => {
  noKeyServer();
  await Promise.all([open.stop(), closed.stop()]);
});

/** Sends a request from an address, in the header that the platform's front end sets. */
async function call(
  { origin }: ServedEndpoint,
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawResponse> {
  return rawRequest(origin, '/', {
    method: 'POST',
    headers: { 'X-Forwarded-For': address, ...headers },
  });
}

async function repeat(times: number, send: () => Promise<RawResponse>): Promise<number[]> {
  const statuses = [];
  for (let sent = 0; sent < times; sent += 1) statuses.push((await send()).status);
  return statuses;
}

/** An address that no other test uses. */
function freshAddress(): string {
  return `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1`;
}

test('allows an address as many requests as the parameter says, and refuses more', async () => {
  const address = freshAddress();

  const statuses = await repeat(7, () => call(open, address));
  const refused = await call(open, address);

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect(JSON.parse(refused.text)).toEqual({ message: 'Too many requests. Please wait a little.' });
  expect(refused.headers).toMatchObject({
    'cache-control': 'private, no-store',
    'retry-after': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/) as string,
    ratelimit: expect.stringMatching(/^"address";r=0;t=\d+$/) as string,
    'ratelimit-policy': expect.stringMatching(/^"address";q=5;w=60$/) as string,
    'access-control-allow-origin': '*',
  });
  expect((await call(open, freshAddress())).status).toBe(200);
});

test('ignores every address that the client could have forged', async () => {
  const address = freshAddress();

  const statuses = await repeat(6, () =>
    call(open, `${freshAddress()}, ${address}`, {
      'X-Real-IP': freshAddress(),
      'X-Client-IP': freshAddress(),
      'Fastly-Client-IP': freshAddress(),
      Forwarded: `for="[${freshAddress()}]"`,
    }),
  );

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

test('counts a user’s requests per account, from any address', async () => {
  const headersOf = (uid: string) => ({
    Authorization: `Bearer ${signedToken(key, idTokenClaims(PROJECT, uid))}`,
  });

  const statuses = await repeat(5, () => call(closed, freshAddress(), headersOf('alice')));
  const other = await call(closed, freshAddress(), headersOf('bob'));

  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  expect(other.status).toBe(200);
  expect(other.headers).toMatchObject({
    ratelimit: expect.stringMatching(/^"user";r=2;t=\d+$/) as string,
    'ratelimit-policy': '"user";q=3;w=60',
  });
});

test('counts requests that fail to authenticate', async () => {
  const address = freshAddress();

  expect(await repeat(6, () => call(closed, address))).toEqual([401, 401, 401, 401, 401, 429]);
});

test('sends no rate-limit headers with a cacheable response', async () => {
  const { status, headers } = await call(open, freshAddress());

  expect(status).toBe(200);
  expect(headers).not.toHaveProperty('ratelimit');
  expect(headers).not.toHaveProperty('ratelimit-policy');
});

test('limits nothing if the parameter is 0', async () => {
  const address = freshAddress();
  process.env.ADDRESS_REQUESTS_PER_MINUTE = '0';

  const statuses = await repeat(10, () => call(open, address));

  process.env.ADDRESS_REQUESTS_PER_MINUTE = '5';
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test.each([
  ['OPTIONS', '/', 204],
  ['GET', '/', 405],
  ['POST', '/nothing', 404],
])('does not count %s %s', async (method, path, status) => {
  const address = freshAddress();
  const send = () =>
    rawRequest(open.origin, path, { method, headers: { 'X-Forwarded-For': address } });

  expect(new Set(await repeat(6, send))).toEqual(new Set([status]));
  expect((await call(open, address)).status).toBe(200);
});

test('does not count requests with a forged token against its user', async () => {
  const good = { Authorization: `Bearer ${signedToken(key, idTokenClaims(PROJECT, 'carol'))}` };
  const forged = {
    Authorization: `Bearer ${signedToken(otherKey, idTokenClaims(PROJECT, 'carol'))}`,
  };
  await call(closed, freshAddress(), good);

  const statuses = await repeat(4, () => call(closed, freshAddress(), forged));

  expect(new Set(statuses)).toEqual(new Set([401]));
  expect((await call(closed, freshAddress(), good)).headers.ratelimit).toMatch(/^"user";r=1;/);
});

describe('the count', () => {
  const START = Date.UTC(2026, 0, 1);
  let now = START;

  beforeEach(() => {
    now = START;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** How many of a number of simultaneous requests of a caller are allowed. */
  function countAllowed(caller: string, requests: number): number {
    let passed = 0;
    for (let sent = 0; sent < requests; sent += 1) {
      try {
        limitUser(caller);
        passed += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(HttpError);
      }
    }
    return passed;
  }

  test('is exact for any number of requests within one turn of the event loop', () => {
    expect(countAllowed(randomUUID(), 1000)).toBe(3);
  });

  test('is sent as the remaining requests and seconds', () => {
    const caller = randomUUID();

    expect(limitUser(caller)).toEqual({
      'RateLimit-Policy': '"user";q=3;w=60',
      RateLimit: '"user";r=2;t=60',
    });
    now += 20_500;
    expect(limitUser(caller)).toMatchObject({ RateLimit: '"user";r=1;t=40' });
  });

  test('starts again after a minute, and not before', () => {
    const caller = randomUUID();
    countAllowed(caller, 3);

    now += 59_999;
    expect(countAllowed(caller, 1)).toBe(0);
    now += 1;
    expect(countAllowed(caller, 5)).toBe(3);
  });

  test('is separate for users and addresses', () => {
    const caller = randomUUID();
    countAllowed(caller, 3);

    expect(limitAddress(caller)).toMatchObject({ RateLimit: '"address";r=4;t=60' });
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
  ['10.1.2.3', '192.0.2.7', '192.0.2.7'],
  ['10.1.2.3', '1.1.1.1, 192.0.2.7', '192.0.2.7'],
  ['10.1.2.3', ['1.1.1.1', '2.2.2.2,192.0.2.7'], '192.0.2.7'],
  ['10.1.2.3', 'nonsense', 'nonsense'],
  ['::ffff:10.1.2.3', undefined, '10.1.2.3'],
  ['10.1.2.3', '::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2'],
  ['10.1.2.3', '2001:db8:1:2::1', '2001:db8:1:2'],
  ['10.1.2.3', '2001:0DB8:0001:0002::', '2001:db8:1:2'],
  ['10.1.2.3', '2001:db8::1', '2001:db8:0:0'],
  ['10.1.2.3', '::1', '0:0:0:0'],
  ['fe80::1%eth0', undefined, 'fe80:0:0:0'],
])('derives from peer %s and X-Forwarded-For %j the address %s', (remoteAddress, sent, address) => {
  const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': sent } };

  expect(addressOf(request as unknown as Request)).toBe(address);
});
