import { logger } from 'firebase-functions/logger';
import { HttpsError } from 'firebase-functions/https';
import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import { FirestoreError } from '../../functions/src/firestore/errors.ts';
import { endpoint } from '../../functions/src/http/endpoint.ts';
import { pageCacheSeconds } from '../../functions/src/parameters.ts';
import { serveInProcess, type ServedEndpoint } from '../support/inProcess.ts';
import { rawRequest, type RawResponse } from '../support/rawRequest.ts';

const MIB = 1024 * 1024;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const GZIP_BOMB = gzipSync(Buffer.alloc(50 * MIB));
const NOT_JSON_TYPE = 'The Content-Type must be application/json, in UTF-8.';
const TOO_LARGE = 'The body must not be larger than 1 MiB.';
const TOO_MANY = 'The body must not have more than 50000 values.';

/** A JSON body of a given size. */
function bodyOf(bytes: number): string {
  return JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
}

/** `{"text":"a"}` with more bytes in the text. */
function withBytes(...bytes: number[]): Uint8Array {
  return Buffer.concat([Buffer.from('{"text":"a'), Buffer.from(bytes), Buffer.from('"}')]);
}

const NOT_JSON = [
  ...['{"text":', '{"text":"a"', 'text=1', '{}{}', 'NaN', '{"text":"a"}\0', '{"text":"a",}'],
  ...['/* a */{"text":"a"}', '['.repeat(10_000) + ']'.repeat(9_999), '{"a":'.repeat(10_000)],
  ...[withBytes(0xff), withBytes(0xc0, 0xaf), Buffer.from('{"text":"a"}', 'utf16le')],
];
const NOT_JSON_TYPES = [
  ...['', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
  ...['multipart/form-data', 'application/xml', 'application/merge-patch+json', 'a/b/c;;='],
  // A charset that starts or ends with UTF-8, a second charset, others.
  ...['utf-8x', 'x-utf-8', 'utf-8; charset=latin1', 'latin1', 'utf-16', 'nonsense'].map(
    (charset) => `application/json; charset=${charset}`,
  ),
];

const echo = endpoint({
  method: 'PUT',
  path: '/things/{id}',
  access: 'public',
  summary: 'Echo',
  description: 'Returns its input.',
  params: z.object({ id: z.string() }),
  query: z.object({ limit: z.string().optional() }),
  body: z.object({ text: z.string() }),
  response: z.object({ id: z.string(), text: z.string(), limit: z.string().optional() }),
  errors: {},
  handle: ({ params, query, body }) => Promise.resolve({ ...params, ...query, ...body }),
});
let echoes: ServedEndpoint;

beforeAll(async () => {
  process.env.DEADLINE_SECONDS = '1';
  process.env.PAGE_CACHE_SECONDS = '300';
  process.env.ALLOWED_ORIGINS = 'https://app.example.com, https://www.example.com';
  echoes = await serveInProcess(echo);
});

afterAll(async () => {
  await echoes.stop();
});

let handlers = 0;

/** Serves an endpoint that returns what `give` returns. Its path is new, so nothing is cached yet. */
async function withHandler<Result>(
  handle: () => unknown,
  ask: (origin: string) => Promise<Result>,
): Promise<Result> {
  handlers += 1;
  const served = await serveInProcess(
    endpoint({
      method: 'GET',
      path: `/handler-${handlers}`,
      access: 'public',
      summary: 'Give',
      description: 'Returns what the test wants.',
      response: z.object({ name: z.string() }),
      cacheSeconds: pageCacheSeconds,
      errors: {},
      handle: () => Promise.resolve(handle() as { name: string }),
    }),
  );
  try {
    return await ask(served.origin);
  } finally {
    await served.stop();
  }
}

async function callHandler(
  handle: () => unknown,
  options: Parameters<typeof rawRequest>[2] = {},
): Promise<RawResponse> {
  return withHandler(handle, (origin) => rawRequest(origin, '/', options));
}

const ada = () => ({ name: 'Ada' });

async function put(
  body: string | Uint8Array | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<RawResponse> {
  return rawRequest(echoes.origin, '/things/a', {
    method: 'PUT',
    headers,
    ...(body !== undefined && { body }),
  });
}

function expectRefusal(response: RawResponse, status: number, message: string): void {
  expect(response).toMatchObject({ status, text: JSON.stringify({ message }) });
  expect(response.headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/) as string,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
  });
}

/** A body with its headers, and how it is refused. */
type Case = [
  what: string,
  body: string | Uint8Array | undefined,
  headers: Record<string, string>,
  status: number,
  message: string,
];

describe('a request', () => {
  test('reaches the handler parsed and checked', async () => {
    const response = await rawRequest(echoes.origin, '/api/things/%C3%A9?limit=7&other=1', {
      method: 'PUT',
      headers: { 'Content-Type': 'Application/JSON; charset="UTF-8"' },
      body: '{"text":"ü","isAdmin":true}',
    });

    expect(response.status).toBe(200);
    expect(JSON.parse(response.text)).toEqual({ id: 'é', text: 'ü', limit: '7' });
  });

  test.each<Case>([
    ['nothing instead of a body', undefined, {}, 400, 'A JSON body is required.'],
    ['an empty body', '', {}, 400, 'A JSON body is required.'],
    ...NOT_JSON.map((body): Case => [
      String(body).slice(0, 20),
      body,
      {},
      400,
      'The body is not valid JSON.',
    ]),
    ...['null', '7', '"text"', 'true', '[]', '[{"text":"a"}]'].map((body): Case => [
      body,
      body,
      {},
      400,
      'The body must be an object.',
    ]),
    ['an invalid field', '{"text":7}', {}, 400, 'text must be a string.'],
    ...NOT_JSON_TYPES.map((type): Case => [
      `the type ${type}`,
      '{"text":"a"}',
      { 'Content-Type': type },
      415,
      NOT_JSON_TYPE,
    ]),
    ...['gzip', 'br', 'deflate, gzip', 'nonsense'].map((encoding): Case => [
      `the encoding ${encoding}`,
      GZIP_BOMB,
      { 'Content-Encoding': encoding },
      415,
      'The body must be sent without a Content-Encoding.',
    ]),
    ['one byte more than 1 MiB', bodyOf(MIB + 1), {}, 413, TOO_LARGE],
    ['5 MiB', 'x'.repeat(5 * MIB), {}, 413, TOO_LARGE],
    ['300 000 open lists', '['.repeat(300_000), {}, 400, TOO_MANY],
    ['50 000 levels of objects', '{"a":'.repeat(50_000), {}, 400, TOO_MANY],
  ])('is refused with %s', async (_what, body, headers, status, message) => {
    expectRefusal(await put(body, { ...JSON_TYPE, ...headers }), status, message);
  });

  test.each([
    ['application/json;charset=utf-8', 'identity', 'x'],
    ['application/json; charset=utf8', 'Identity', 'x'],
    ['application/json; charset = "utf-8" ', 'identity', 'x'],
    ['application/json;  charset=UTF-8; version=1', 'identity', 'x'],
    ['application/json; a-charset=latin1', 'identity', 'x'.repeat(MIB - '{"text":""}'.length)],
  ])('is accepted with the content type %j and the encoding %s', async (type, encoding, text) => {
    const headers = { 'Content-Type': type, 'Content-Encoding': encoding };

    expect((await put(JSON.stringify({ text }), headers)).status).toBe(200);
  });

  test.each([
    ['its path before its method', 'POST', '/nothing', 404, 'There is no endpoint at this path.'],
    ['its path first', 'PUT', '/things/%zz', 400, 'The path has a malformed percent-escape.'],
    ['its method before its body', 'POST', '/things/a', 405, 'This endpoint only accepts PUT.'],
    ['its body before its query', 'PUT', '/things/a?limit=%zz', 415, NOT_JSON_TYPE],
  ])('is refused for %s', async (_what, method, path, status, message) => {
    expectRefusal(await rawRequest(echoes.origin, path, { method, body: '{' }), status, message);
  });

  test('may have any body if the endpoint takes none', async () => {
    const response = await callHandler(ada, {
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body: '{bad',
    });

    expect(response).toMatchObject({ status: 200, text: '{"name":"Ada"}' });
  });
});

describe('a response', () => {
  test('has no field that is missing from the response schema', async () => {
    const response = await callHandler(() => ({ name: 'Ada', passwordHash: 'x' }));

    expect(response.text).toBe('{"name":"Ada"}');
  });

  test('is cacheable for the configured time, and its entity tag leads to 304', async () => {
    const first = await callHandler(ada);
    const etag = first.headers.etag ?? '';

    const again = await callHandler(ada, { headers: { 'If-None-Match': etag } });
    const strong = await callHandler(ada, { headers: { 'If-None-Match': etag.slice(2) } });
    const changed = await callHandler(() => ({ name: 'Bea' }), {
      headers: { 'If-None-Match': etag },
    });

    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    for (const response of [first, again, changed]) {
      // The remaining lifetime; the age is rounded up.
      expect(response.headers['cache-control']).toMatch(
        /^public, max-age=0, s-maxage=(300|299|298)$/,
      );
      expect(response.headers.vary).toBe('Origin, Accept-Encoding');
    }
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(again.headers).toMatchObject({ etag });
    expect(again.headers).not.toHaveProperty('content-length');
    expect(strong.status).toBe(304);
    expect(changed).toMatchObject({ status: 200, text: '{"name":"Bea"}' });
  });

  test('is read once for concurrent requests, and sends the remaining lifetime to caches', async () => {
    let reads = 0;
    const clock = jest.spyOn(performance, 'now');
    const responses = await withHandler(
      () => {
        reads += 1;
        return ada();
      },
      async (origin) => {
        const first = await Promise.all([1, 2, 3].map(() => rawRequest(origin, '/')));
        const start = performance.now();
        clock.mockImplementation(() => start + 100_500);
        return [...first, await rawRequest(origin, '/?ignored=1')];
      },
    );
    clock.mockRestore();

    expect(reads).toBe(1);
    expect(responses.map(({ text }) => text)).toEqual(responses.map(() => '{"name":"Ada"}'));
    expect(responses[3]?.headers['cache-control']).toMatch(/s-maxage=(199|198)$/);
  });

  test('is read for every request, and not cacheable, if the parameter is 0', async () => {
    process.env.PAGE_CACHE_SECONDS = '0';
    let reads = 0;
    const responses = await withHandler(
      () => {
        reads += 1;
        return ada();
      },
      (origin) => Promise.all([1, 2, 3].map(() => rawRequest(origin, '/'))),
    );
    process.env.PAGE_CACHE_SECONDS = '300';

    expect(reads).toBe(3);
    for (const { headers } of responses) {
      expect(headers['cache-control']).toBe('public, max-age=0, s-maxage=0');
      expect(headers.etag).toBe(responses[0]?.headers.etag);
    }
  });

  test('has a new request id each time', async () => {
    const responses = await Promise.all([callHandler(ada), callHandler(ada)]);

    expect(new Set(responses.map(({ headers }) => headers['x-request-id'])).size).toBe(2);
  });
});

describe('an error', () => {
  const GENERAL = 'Something went wrong on our side. Please try again later.';
  const PASSING = 'The service is temporarily unavailable. Please try again in a few seconds.';

  beforeEach(() => {
    for (const level of ['error', 'warn', 'write'] as const) {
      jest.spyOn(logger, level).mockImplementation(() => undefined);
    }
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  async function responseTo(error: unknown): Promise<RawResponse> {
    return callHandler(() => {
      throw error;
    });
  }

  test('of ours has its own message', async () => {
    expectRefusal(await responseTo(new HttpsError('not-found', 'Said so.')), 404, 'Said so.');
  });

  test.each([
    ['the gRPC code 14', Object.assign(new Error('projects/p'), { code: 14 })],
    ['Firestore’s code', new FirestoreError('NOT_FOUND', 'projects/p does not exist')],
    ['no code', new TypeError('secret')],
    ['nothing', undefined],
  ])(
    'with %s is logged with the request id, and tells the client nothing',
    async (_what, error) => {
      const response = await responseTo(error);

      expectRefusal(response, 500, GENERAL);
      expect(logger.error).toHaveBeenCalledWith(
        error,
        expect.objectContaining({
          requestId: response.headers['x-request-id'],
          context: {
            httpRequest: { method: 'GET', url: `/handler-${handlers}`, responseStatusCode: 500 },
          },
        }),
      );
    },
  );

  test('with our code unavailable is only logged', async () => {
    const error = new HttpsError('unavailable', 'secret');

    const response = await responseTo(error);

    expectRefusal(response, 503, PASSING);
    expect(logger.warn).toHaveBeenCalledWith(error, {
      requestId: response.headers['x-request-id'],
    });
  });

  test('is the result of a response that violates its schema', async () => {
    expectRefusal(await callHandler(() => ({ name: 7 })), 500, GENERAL);
  });

  test('is the result of work that is still running at the deadline', async () => {
    const response = await callHandler(() => new Promise(() => undefined));

    expectRefusal(response, 503, PASSING);
    expect(response.headers['retry-after']).toMatch(/^\d+$/);
  });
});

describe('another origin', () => {
  const headersFor = (Origin: string) => ({ headers: { Origin } });

  test('that the parameter names may read responses and errors, another one may not', async () => {
    for (const handle of [ada, () => Promise.reject(new HttpsError('not-found', 'Why.'))]) {
      const ours = await callHandler(handle, headersFor('https://app.example.com'));
      const foreign = await callHandler(handle, headersFor('https://evil.example'));

      expect(ours.headers['access-control-allow-origin']).toBe('https://app.example.com');
      expect(foreign.headers).not.toHaveProperty('access-control-allow-origin');
      for (const { headers } of [ours, foreign]) {
        expect(headers).not.toHaveProperty('access-control-allow-credentials');
        expect(headers.vary).toContain('Origin');
      }
    }
  });

  test.each(['/', '/nothing', '/things/%zz', '/things/a/b', '*'])(
    'may read the error of a mistyped request: the preflight of %s succeeds',
    async (path) => {
      const response = await rawRequest(echoes.origin, path, {
        method: 'OPTIONS',
        headers: { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'GET' },
      });

      expect(response).toMatchObject({ status: 204, text: '' });
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': 'https://app.example.com',
        'access-control-allow-methods': 'GET,HEAD,POST,PUT,DELETE',
        'access-control-max-age': '3600',
      });
    },
  );
});

describe('a parameter with an invalid deployed value', () => {
  test.each([
    ['DEADLINE_SECONDS', '0'],
    ['ALLOWED_ORIGINS', 'app.example.com'],
    ['PAGE_CACHE_SECONDS', '-1'],
    ['ADDRESS_REQUESTS_PER_MINUTE', 'many'],
    ['APP_CHECK', 'on'],
  ])('leads to status 500 and one clear log line per request: %s', async (name, value) => {
    const error = jest.spyOn(logger, 'error').mockImplementation();
    const before = process.env[name];

    const responses = await withHandler(ada, async (origin) => {
      process.env[name] = value;
      const broken = [await rawRequest(origin, '/'), await rawRequest(origin, '/')];
      if (before === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before;
      return [...broken, await rawRequest(origin, '/')];
    });
    const lines = error.mock.calls.map(([logged]) => (logged as Error).message);
    error.mockRestore();

    expect(responses.map(({ status }) => status)).toEqual([500, 500, 200]);
    expect(JSON.parse(responses[0]?.text ?? '')).toEqual({
      message: 'Something went wrong on our side. Please try again later.',
    });
    const line = `The deployed value of the parameter ${name} is invalid.`;
    expect(lines).toEqual([line, line]);
  });
});
