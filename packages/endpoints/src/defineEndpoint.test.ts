/** The responses to a handler's output and errors. test/service/rejectedRequests tests what every endpoint rejects. */
import { logger } from 'firebase-functions/logger';
import { HttpsError } from 'firebase-functions/https';
import * as z from 'zod';
import { defineEndpoint } from './defineEndpoint.ts';
import { defineIntegerParameter } from './declaration/defineParameter.ts';
import { Success } from './schemas/responses.ts';
import { useFunctionsEnvironment } from '../../../test/support/jest/isolateEnvironment.ts';
import { sendRawRequest, type RawResponse } from '../../../test/support/requests/sendRawRequest.ts';
import {
  serveInProcess,
  useServedEndpoint,
  DOC_PLACEHOLDERS,
} from '../../../test/support/processes/servedEndpoint.ts';

const ALLOWED_ORIGIN = 'https://app.example.com';
const INTERNAL_ERROR_MESSAGE = 'Something went wrong on our side. Please try again later.';
const UNAVAILABLE = 'The service is temporarily unavailable. Please try again in a few seconds.';

useFunctionsEnvironment('demo-endpoint', {
  DEADLINE_SECONDS: '1',
  ALLOWED_ORIGINS: `${ALLOWED_ORIGIN}, https://www.example.com`,
});

const cacheSeconds = defineIntegerParameter('CACHE_SECONDS', 0, 600, {
  default: 300,
  description: 'A parameter of this test.',
});

/** The handler of both endpoints. Tests replace it. */
let handle: () => unknown;

/** The declaration of an endpoint whose responses are cached. */
const cached = {
  ...DOC_PLACEHOLDERS,
  method: 'GET',
  access: 'public',
  response: z.object({ name: z.string() }),
  cacheSeconds,
  handle: () => Promise.resolve(handle() as { name: string }),
} as const;

const separateReads = useServedEndpoint(
  defineEndpoint({ ...cached, path: '/separate/{id}', params: z.object({ id: z.string() }) }),
);
const coalescedReads = useServedEndpoint(
  defineEndpoint({ ...cached, path: '/coalesced', coalesceReads: true }),
);

beforeEach(() => {
  handle = () => ({ name: 'Ada' });
  for (const level of ['error', 'warn'] as const) jest.spyOn(logger, level).mockImplementation();
});

async function send(): Promise<RawResponse> {
  return sendRawRequest(separateReads.origin, '/separate/a');
}

/** Sends a request whose handler throws. */
async function sendToThrow(error: unknown): Promise<RawResponse> {
  handle = () => {
    throw error;
  };
  return send();
}

function expectErrorResponse(response: RawResponse, status: number, message: string): void {
  expect(response).toMatchObject({ status, text: JSON.stringify({ message }) });
  expect(response.headers).toMatchObject({ 'cache-control': 'private, no-store' });
}

test('an endpoint without a response responds with success, and its handler returns nothing', async () => {
  const options = {
    ...DOC_PLACEHOLDERS,
    method: 'PUT',
    path: '/things',
    access: 'public',
  } as const;
  const endpoint = defineEndpoint({ ...options, example: {}, handle: () => Promise.resolve() });
  // @ts-expect-error: a response that is returned must be declared.
  defineEndpoint({ ...options, handle: () => Promise.resolve({ name: 'Ada' }) });
  const served = await serveInProcess(endpoint);

  const response = await sendRawRequest(served.origin, '/things', { method: 'PUT' });
  await served.stop();

  expect(response).toMatchObject({ status: 200, text: '{"success":true}' });
  expect(endpoint.declaration).toMatchObject({
    errors: {},
    response: Success,
    example: { response: { success: true } },
  });
});

test('each response has its own request ID', async () => {
  const ids = [await send(), await send()].map(({ headers }) => headers['x-request-id']);

  expect(new Set(ids).size).toBe(2);
});

test('a coalesced response is cached gzipped, and sends its remaining max age, also with 304', async () => {
  handle = jest.fn(() => ({ name: 'Ada'.repeat(1000) }));
  const clock = jest.spyOn(performance, 'now');
  const sendToCoalesced = (headers = {}) =>
    sendRawRequest(coalescedReads.origin, '/coalesced', { headers });

  const plain = await sendToCoalesced();
  const start = performance.now();
  clock.mockImplementation(() => start + 100_500);
  const gzipped = await sendToCoalesced({ 'Accept-Encoding': 'gzip' });
  const notModified = await sendToCoalesced({ 'If-None-Match': plain.headers.etag });

  expect(handle).toHaveBeenCalledTimes(1);
  expect(plain.headers).not.toHaveProperty('content-encoding');
  expect(gzipped.headers).toHaveProperty('content-encoding', 'gzip');
  for (const { headers } of [plain, gzipped, notModified]) {
    expect(headers).toMatchObject({ etag: plain.headers.etag, vary: 'Origin, Accept-Encoding' });
  }
  expect(gzipped.headers['cache-control']).toMatch(/s-maxage=(199|198)$/);
  expect(notModified.headers['cache-control']).toBe(gzipped.headers['cache-control']);
  expect(notModified).toMatchObject({ status: 304, text: '' });
  expect(notModified.headers).not.toHaveProperty('content-length');
});

test.each(['/', '/nothing', '/separate/%zz', '/separate/a/b', '*'])(
  'a preflight of the unknown path %s gets 204, so that browsers can read the 404',
  async (path) => {
    const headers = { Origin: ALLOWED_ORIGIN, 'Access-Control-Request-Method': 'GET' };
    const response = await sendRawRequest(separateReads.origin, path, {
      method: 'OPTIONS',
      headers,
    });

    expect(response).toMatchObject({ status: 204, text: '' });
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': ALLOWED_ORIGIN,
      'access-control-allow-methods': 'GET,HEAD,POST,PUT,DELETE',
      'access-control-max-age': '3600',
    });
  },
);

test.each([
  { name: 'a TypeError', error: new TypeError('secret') },
  { name: 'undefined', error: undefined },
])('a handler that throws $name gets it logged, and the client learns nothing', async (row) => {
  const response = await sendToThrow(row.error);

  expectErrorResponse(response, 500, INTERNAL_ERROR_MESSAGE);
  const httpRequest = { method: 'GET', url: '/separate/{id}', responseStatusCode: 500 };
  const requestId = response.headers['x-request-id'];
  expect(jest.mocked(logger.error).mock.calls).toEqual([
    [row.error, expect.objectContaining({ requestId, context: { httpRequest } })],
  ]);
});

test('an error with the code unavailable is logged as a warning', async () => {
  const error = new HttpsError('unavailable', 'secret');
  const response = await sendToThrow(error);

  expectErrorResponse(response, 503, UNAVAILABLE);
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
])('%s gets 404, although the framework would respond to it itself', async (path) => {
  const response = await sendRawRequest(separateReads.origin, path);

  expectErrorResponse(response, 404, 'There is no endpoint at this path.');
});

test('a response that does not match its schema becomes 500', async () => {
  handle = () => ({ name: 7 });

  expectErrorResponse(await send(), 500, INTERNAL_ERROR_MESSAGE);
});

test('a handler that is still running at the deadline becomes 503', async () => {
  handle = () => new Promise(() => undefined);

  expectErrorResponse(await send(), 503, UNAVAILABLE);
});

test.each([
  { name: 'CONCURRENCY', concurrency: undefined, expression: 'params.CONCURRENCY' },
  {
    name: 'the lower of its own limit and CONCURRENCY',
    concurrency: 10,
    expression: 'params.CONCURRENCY > 10 ? 10 : params.CONCURRENCY',
  },
])('the concurrency of a function is $name', ({ concurrency, expression }) => {
  const endpoint = defineEndpoint({
    ...cached,
    path: '/concurrent',
    ...(concurrency !== undefined && { concurrency }),
  });

  // The CLI gets the JSON of an expression.
  expect(JSON.stringify(endpoint.__endpoint.concurrency)).toContain(expression);
});
