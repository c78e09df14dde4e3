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

/** A response whose body `fetch` decompresses. */
async function fetched(url: string, headers: Readonly<Record<string, string>>) {
  const response = await fetch(url, { headers });
  return { headers: response.headers, text: await response.text() };
}

async function put(
  body: string | Uint8Array | undefined,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
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

  test.each([
    ['nothing', undefined],
    ['an empty body', ''],
  ])('is refused if it has %s instead of the required body', async (_what, body) => {
    expectRefusal(await put(body), 400, 'A JSON body is required.');
  });

  test.each([
    ['a truncated body', '{"text":'],
    ['a body that is not JSON', 'text=1'],
    ['two values', '{}{}'],
    ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('is refused if it has %s', async (_what, body) => {
    expectRefusal(await put(body), 400, 'The body is not valid JSON.');
  });

  test.each(['null', '7', '"text"', 'true', '[]'])('is refused if its body is %s', async (body) => {
    expectRefusal(await put(body), 400, 'The body must be an object.');
  });

  test('is refused with the name of the invalid field', async () => {
    expectRefusal(await put('{"text":7}'), 400, 'text must be a string.');
  });

  test.each([
    'application/json;charset=utf-8',
    'application/json; charset=utf8',
    'application/json; charset = "utf-8" ',
    'application/json;  charset=UTF-8; version=1',
    'application/json; a-charset=latin1',
  ])('is accepted with the content type %j', async (type) => {
    expect((await put('{"text":"x"}', { 'Content-Type': type })).status).toBe(200);
  });

  test.each([
    ['a charset that starts with UTF-8', { 'Content-Type': 'application/json; charset=utf-8x' }],
    ['a charset that ends with UTF-8', { 'Content-Type': 'application/json; charset=x-utf-8' }],
    ['a second charset', { 'Content-Type': 'application/json; charset=utf-8; charset=latin1' }],
    ['none', {}],
    ['text/plain', { 'Content-Type': 'text/plain' }],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['multipart without a boundary', { 'Content-Type': 'multipart/form-data' }],
    ['another charset', { 'Content-Type': 'application/json; charset=latin1' }],
    ['an unknown charset', { 'Content-Type': 'application/json; charset=nonsense' }],
    ['nonsense', { 'Content-Type': 'a/b/c;;=' }],
  ])('is refused if its content type is %s', async (_what, headers) => {
    expectRefusal(
      await put('{"text":"a"}', headers),
      415,
      'The Content-Type must be application/json, in UTF-8.',
    );
  });

  test.each(['identity', 'Identity'])('is accepted with the encoding %s', async (encoding) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding };

    expect((await put('{"text":"x"}', headers)).status).toBe(200);
  });

  test.each(['gzip', 'br', 'nonsense'])(
    'is refused if its content encoding is %s',
    async (encoding) => {
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding };

      expectRefusal(
        await put(gzipSync('{"text":"a"}'), headers),
        415,
        'The body must be sent without a Content-Encoding.',
      );
    },
  );

  test('is accepted with a body of 1 MiB and refused with one byte more', async () => {
    const padding = MIB - '{"text":""}'.length;

    expect((await put(JSON.stringify({ text: 'x'.repeat(padding) }))).status).toBe(200);
    expectRefusal(
      await put(JSON.stringify({ text: 'x'.repeat(padding + 1) })),
      413,
      'The body must not be larger than 1 MiB.',
    );
  });

  test.each(['/things/%', '/things/%zz', '/things/%E0%A4%A'])(
    'is refused if its path has the malformed escape in %s',
    async (path) => {
      const response = await rawRequest(echoes.origin, path, { method: 'PUT' });

      expectRefusal(response, 400, 'The path has a malformed percent-escape.');
    },
  );

  test('is refused for an unknown path before its method is checked', async () => {
    const response = await rawRequest(echoes.origin, '/nothing', { method: 'POST', body: '{' });

    expectRefusal(response, 404, 'There is no endpoint at this path.');
  });

  test('is refused for a wrong method before its body is checked', async () => {
    const response = await rawRequest(echoes.origin, '/things/a', { method: 'POST', body: '{' });

    expectRefusal(response, 405, 'This endpoint only accepts PUT.');
    expect(response.headers.allow).toBe('PUT, OPTIONS');
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

  test('is compressed from 1 KiB on, with the same entity tag', async () => {
    const large = () => ({ name: 'x'.repeat(2000) });
    const [packed, plain] = await withHandler(large, async (origin) =>
      Promise.all(
        ['gzip', 'identity'].map((encoding) =>
          fetched(`${origin}/`, { 'Accept-Encoding': encoding }),
        ),
      ),
    );

    expect(packed?.headers.get('content-encoding')).toBe('gzip');
    expect(plain?.headers.get('content-encoding')).toBeNull();
    expect(packed?.headers.get('etag')).toBe(plain?.headers.get('etag'));
    expect(packed?.text).toBe(plain?.text);
  });

  test('has the same headers for HEAD, and no body', async () => {
    const [got, head] = await Promise.all([callHandler(ada), callHandler(ada, { method: 'HEAD' })]);

    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers).toMatchObject({
      etag: got.headers.etag,
      'content-length': got.headers['content-length'],
      'content-type': got.headers['content-type'],
    });
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

  test.each([
    ['invalid-argument', 400],
    ['unauthenticated', 401],
    ['permission-denied', 403],
    ['not-found', 404],
    ['resource-exhausted', 429],
  ] as const)('with our code %s has status %i and its own message', async (code, status) => {
    expectRefusal(await responseTo(new HttpsError(code, 'Said so.')), status, 'Said so.');
  });

  test.each([
    ['the gRPC code 14', Object.assign(new Error('projects/p'), { code: 14 })],
    ['Firestore’s code', new FirestoreError('NOT_FOUND', 'projects/p does not exist')],
    ['no code', new TypeError('secret')],
    ['a thrown string', 'secret'],
    ['nothing', undefined],
    ['our code internal', new HttpsError('internal', 'secret')],
  ])(
    'with %s has status 500, is logged with the request id, and tells the client nothing',
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

  test('with our code unavailable has status 503, and its message is only logged', async () => {
    const error = new HttpsError('unavailable', 'secret');

    const response = await responseTo(error);

    expectRefusal(response, 503, PASSING);
    expect(response.headers['retry-after']).toMatch(/^\d+$/);
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
  test.each(['https://app.example.com', 'https://www.example.com'])(
    'is allowed if the parameter names it: %s',
    async (origin) => {
      const response = await callHandler(ada, { headers: { Origin: origin } });

      expect(response.headers['access-control-allow-origin']).toBe(origin);
      expect(response.headers.vary).toContain('Origin');
    },
  );

  test.each(['https://evil.example', 'https://app.example.com.evil.example', 'null'])(
    'is not allowed if the parameter does not name it: %s',
    async (origin) => {
      const response = await callHandler(ada, { headers: { Origin: origin } });

      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
      expect(response.headers.vary).toContain('Origin');
    },
  );

  test('learns from a preflight which methods and headers it may send', async () => {
    const response = await rawRequest(echoes.origin, '/things/a', {
      method: 'OPTIONS',
      headers: { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'PUT' },
    });

    expect(response).toMatchObject({ status: 204, text: '' });
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-methods': 'GET,HEAD,POST,PUT,DELETE',
      'access-control-allow-headers':
        'Authorization,Content-Type,If-None-Match,X-Firebase-AppCheck',
      'access-control-max-age': '3600',
    });
  });

  test.each(['/', '/nothing', '/things/%zz', '/things/a/b', '*'])(
    'may read the error of a mistyped request: the preflight of %s succeeds',
    async (path) => {
      const response = await rawRequest(echoes.origin, path, {
        method: 'OPTIONS',
        headers: { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'GET' },
      });

      expect(response).toMatchObject({ status: 204, text: '' });
      expect(response.headers['access-control-allow-methods']).toBe('GET,HEAD,POST,PUT,DELETE');
    },
  );

  test('may read every header of our responses', async () => {
    const response = await callHandler(ada, { headers: { Origin: 'https://app.example.com' } });

    expect(response.headers['access-control-expose-headers']).toBe(
      'Allow,Deprecation,ETag,RateLimit,RateLimit-Policy,Retry-After,Sunset,WWW-Authenticate,X-Error-Code,X-Request-Id',
    );
  });
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
