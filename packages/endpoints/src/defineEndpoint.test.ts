/** How a handler's output or error becomes a response. test/service/rejectedRequests has what every endpoint rejects. */
import { logger } from 'firebase-functions/logger';
import { HttpsError } from 'firebase-functions/https';
import * as z from 'zod';
import { FirestoreError } from '@tattoo-marketplace/firestore-rest';
import { defineEndpoint } from './defineEndpoint.ts';
import { defineIntegerParameter } from './defineParameter.ts';
import { useFunctionsEnvironment } from '../../../dev/testing/functionsEnvironment.ts';
import { rawRequest, type RawResponse } from '../../../dev/testing/rawRequest.ts';
import { useServedEndpoint, DOC_PLACEHOLDERS } from '../../../dev/testing/servedEndpoint.ts';

const OURS = 'https://app.example.com';
const GENERAL = 'Something went wrong on our side. Please try again later.';
const PASSING = 'The service is temporarily unavailable. Please try again in a few seconds.';

useFunctionsEnvironment('demo-endpoint', {
  DEADLINE_SECONDS: '1',
  ALLOWED_ORIGINS: `${OURS}, https://www.example.com`,
});

const cacheSeconds = defineIntegerParameter('CACHE_SECONDS', 0, 600, {
  default: 300,
  description: 'Of a test.',
});

type Read = (input: { params: object; query: object }) => unknown;

let handle: Read;
let paths = 0;

/** An endpoint whose responses caches may have. */
function cachedEndpoint(path: `/${string}`, read: Read, isReadForAll?: true) {
  return useServedEndpoint(
    defineEndpoint({
      ...DOC_PLACEHOLDERS,
      method: 'GET',
      path,
      access: 'public',
      params: z.object({ id: z.string() }),
      query: z.object({ cursor: z.string().optional() }),
      response: z.object({ name: z.string() }),
      cacheSeconds,
      ...(isReadForAll && { coalesceReads: isReadForAll }),
      handle: (input) => Promise.resolve(read(input) as { name: string }),
    }),
  );
}

const given = cachedEndpoint('/given/{id}', (input) => handle(input));
const shared = cachedEndpoint('/shared/{id}', (input) => handle(input), true);

beforeEach(() => {
  paths += 1;
  handle = () => ({ name: 'Ada' });
  for (const level of ['error', 'warn'] as const) jest.spyOn(logger, level).mockImplementation();
});

/** Sends a request to a path of the current test. */
async function ask(options: Parameters<typeof rawRequest>[2] = {}): Promise<RawResponse> {
  return rawRequest(given.origin, `/given/${paths}`, options);
}

/** The response to a request whose handler throws. */
async function responseTo(error: unknown): Promise<RawResponse> {
  handle = () => {
    throw error;
  };
  return ask();
}

function expectErrorResponse(response: RawResponse, status: number, message: string): void {
  expect(response).toMatchObject({ status, text: JSON.stringify({ message }) });
  expect(response.headers).toMatchObject({ 'cache-control': 'private, no-store' });
}

describe('a response', () => {
  test('has a new request id each time', async () => {
    const ids = [await ask(), await ask()].map(({ headers }) => headers['x-request-id']);

    expect(new Set(ids).size).toBe(2);
  });

  test('with coalesced reads is cached gzipped, and sends its remaining max age, also with 304', async () => {
    handle = jest.fn(() => ({ name: 'Ada'.repeat(1000) }));
    const clock = jest.spyOn(performance, 'now');
    const askShared = (headers = {}) => rawRequest(shared.origin, '/shared/a', { headers });

    const plain = await askShared();
    const start = performance.now();
    clock.mockImplementation(() => start + 100_500);
    const packed = await askShared({ 'Accept-Encoding': 'gzip' });
    const again = await askShared({ 'If-None-Match': plain.headers.etag });

    expect(handle).toHaveBeenCalledTimes(1);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(packed.headers).toHaveProperty('content-encoding', 'gzip');
    for (const { headers } of [plain, packed, again]) {
      expect(headers).toMatchObject({ etag: plain.headers.etag, vary: 'Origin, Accept-Encoding' });
    }
    expect(packed.headers['cache-control']).toMatch(/s-maxage=(199|198)$/);
    expect(again.headers['cache-control']).toBe(packed.headers['cache-control']);
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(again.headers).not.toHaveProperty('content-length');
  });

  test.each(['/', '/nothing', '/given/%zz', '/given/a/b', '*'])(
    'to a preflight of the unknown path %s is 204, so that browsers can read the 404',
    async (path) => {
      const headers = { Origin: OURS, 'Access-Control-Request-Method': 'GET' };
      const response = await rawRequest(given.origin, path, { method: 'OPTIONS', headers });

      expect(response).toMatchObject({ status: 204, text: '' });
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': OURS,
        'access-control-allow-methods': 'GET,HEAD,POST,PUT,DELETE',
        'access-control-max-age': '3600',
      });
    },
  );
});

describe('an error', () => {
  test.each([
    ['Firestore’s code', new FirestoreError('NOT_FOUND', 'projects/p does not exist')],
    ['no code', new TypeError('secret')],
    ['nothing', undefined],
  ])(
    'with %s is logged with the request id, and tells the client nothing',
    async (_what, error) => {
      const response = await responseTo(error);

      expectErrorResponse(response, 500, GENERAL);
      const httpRequest = { method: 'GET', url: '/given/{id}', responseStatusCode: 500 };
      const requestId = response.headers['x-request-id'];
      expect(jest.mocked(logger.error).mock.calls).toEqual([
        [error, expect.objectContaining({ requestId, context: { httpRequest } })],
      ]);
    },
  );

  test('with our code unavailable is logged as a warning', async () => {
    const error = new HttpsError('unavailable', 'secret');
    const response = await responseTo(error);

    expectErrorResponse(response, 503, PASSING);
    const requestId = response.headers['x-request-id'];
    expect(jest.mocked(logger.warn).mock.calls).toEqual([[error, { requestId }]]);
  });

  test.each([
    '/favicon.ico',
    '//robots.txt',
    '*',
    'http://x/favicon.ico',
    'http://x/robots.txt',
    'http://x/%zz',
  ])('404 is sent for %s, although the framework would handle it', async (path) => {
    const response = await rawRequest(given.origin, path);

    expectErrorResponse(response, 404, 'There is no endpoint at this path.');
  });

  test.each<[string, unknown, number, string]>([
    ['a response that violates its schema', { name: 7 }, 500, GENERAL],
    ['work that is still running at the deadline', new Promise(() => undefined), 503, PASSING],
  ])('is the result of %s', async (_what, output, status, message) => {
    handle = () => output;

    expectErrorResponse(await ask(), status, message);
  });
});
