import { randomUUID } from 'node:crypto';
import type { Request } from 'firebase-functions/https';
import * as z from 'zod';
import { endpoint } from '../../functions/src/http/endpoint.ts';
import { addressOf } from '../../functions/src/http/throttle.ts';
import { noKeyServer, publishKeys } from '../support/googleKeys.ts';
import { idTokenClaims, signedToken, signingKey } from '../support/idTokens.ts';
import { serveInProcess, type ServedEndpoint } from '../support/inProcess.ts';
import { rawRequest, type RawAnswer } from '../support/rawRequest.ts';

const PROJECT = 'demo-throttled';
const key = signingKey('key-1');

const contract = {
  method: 'POST',
  summary: 'Echo',
  description: 'Answers.',
  response: z.object({ isDone: z.boolean() }),
  errors: {},
  handle: () => Promise.resolve({ isDone: true }),
} as const;

let open: ServedEndpoint;
let closed: ServedEndpoint;

beforeAll(async () => {
  Object.assign(process.env, {
    GCLOUD_PROJECT: PROJECT,
    ADDRESS_REQUESTS_PER_MINUTE: '5',
    USER_REQUESTS_PER_MINUTE: '3',
  });
  publishKeys(key);
  open = await serveInProcess(endpoint({ ...contract, path: '/open', access: 'public' }));
  closed = await serveInProcess(endpoint({ ...contract, path: '/closed', access: 'signedIn' }));
});

afterAll(async () => {
  noKeyServer();
  await Promise.all([open.stop(), closed.stop()]);
});

/** Asks from an address, as the platform's front end tells of it. */
async function ask(
  { origin }: ServedEndpoint,
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  return rawRequest(origin, '/', {
    method: 'POST',
    headers: { 'X-Forwarded-For': address, ...headers },
  });
}

async function askOften(times: number, send: () => Promise<RawAnswer>): Promise<number[]> {
  const statuses = [];
  for (let sent = 0; sent < times; sent += 1) statuses.push((await send()).status);
  return statuses;
}

/** An address that no other test uses. */
function freshAddress(): string {
  return `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1`;
}

test('lets an address send as many requests as the parameter says, and refuses more', async () => {
  const address = freshAddress();

  const statuses = await askOften(7, () => ask(open, address));
  const refused = await ask(open, address);

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect(JSON.parse(refused.text)).toEqual({ message: 'Too many requests. Please wait a little.' });
  expect(refused.headers).toMatchObject({
    'cache-control': 'private, no-store',
    'retry-after': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/) as string,
    ratelimit: expect.stringMatching(/^"address"; r=0; t=\d+$/) as string,
    'ratelimit-policy': expect.stringMatching(/^"address"; q=5; w=60/) as string,
    'access-control-allow-origin': '*',
  });
  expect((await ask(open, freshAddress())).status).toBe(200);
});

test('counts all addresses of one IPv6 network as one', async () => {
  const network = freshAddress().replace(/::1$/, '');

  const statuses = [];
  for (let host = 1; host <= 6; host += 1) {
    statuses.push((await ask(open, `${network}::${host}`)).status);
  }

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

test('believes nothing of the address that the client could have written', async () => {
  const address = freshAddress();

  const statuses = await askOften(6, () =>
    ask(open, `${freshAddress()}, ${address}`, {
      'X-Real-IP': freshAddress(),
      'X-Client-IP': freshAddress(),
      'Fastly-Client-IP': freshAddress(),
      Forwarded: `for="[${freshAddress()}]"`,
    }),
  );

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

test('counts a user by their own account, from wherever they call', async () => {
  const headersOf = (uid: string) => ({
    Authorization: `Bearer ${signedToken(key, idTokenClaims(PROJECT, uid))}`,
  });

  const statuses = await askOften(5, () => ask(closed, freshAddress(), headersOf('alice')));
  const other = await ask(closed, freshAddress(), headersOf('bob'));

  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  expect(other.status).toBe(200);
  expect(other.headers.ratelimit).toMatch(/"address"; r=4; t=\d+, "user"; r=2; t=\d+$/);
});

test('counts those who do not get past the sign-in, too', async () => {
  const address = freshAddress();

  expect(await askOften(6, () => ask(closed, address))).toEqual([401, 401, 401, 401, 401, 429]);
});

test('tells nobody what is left of another’s requests in an answer that caches keep', async () => {
  const { status, headers } = await ask(open, freshAddress());

  expect(status).toBe(200);
  expect(headers).not.toHaveProperty('ratelimit');
  expect(headers).not.toHaveProperty('ratelimit-policy');
});

test('limits nobody where the parameter is 0', async () => {
  const address = freshAddress();
  process.env.ADDRESS_REQUESTS_PER_MINUTE = '0';

  const statuses = await askOften(10, () => ask(open, address));

  process.env.ADDRESS_REQUESTS_PER_MINUTE = '5';
  expect(new Set(statuses)).toEqual(new Set([200]));
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
])('takes from peer %s with X-Forwarded-For %j the address %s', (remoteAddress, sent, address) => {
  const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': sent } };

  expect(addressOf(request as unknown as Request)).toBe(address);
});
