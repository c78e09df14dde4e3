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
  description: 'Answers with what it got.',
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

let gifts = 0;

/** Asks an endpoint that answers with what `give` returns; its path is its own, so that nothing of it is cached yet. */
async function withGifts<Result>(
  give: () => unknown,
  ask: (origin: string) => Promise<Result>,
): Promise<Result> {
  gifts += 1;
  const served = await serveInProcess(
    endpoint({
      method: 'GET',
      path: `/gifts-${gifts}`,
      access: 'public',
      summary: 'Give',
      description: 'Answers with what the test wants.',
      response: z.object({ name: z.string() }),
      cacheSeconds: pageCacheSeconds,
      errors: {},
      handle: () => Promise.resolve(give() as { name: string }),
    }),
  );
  try {
    return await ask(served.origin);
  } finally {
    await served.stop();
  }
}

async function getGift(
  give: () => unknown,
  options: Parameters<typeof rawRequest>[2] = {},
): Promise<RawResponse> {
  return withGifts(give, (origin) => rawRequest(origin, '/', options));
}

const ada = () => ({ name: 'Ada' });

/** An answer whose body `fetch` unpacks. */
async function fetched(url: string, headers: Readonly<Record<string, string>>) {
  const answer = await fetch(url, { headers });
  return { headers: answer.headers, text: await answer.text() };
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

function expectRefusal(answer: RawResponse, status: number, message: string): void {
  expect(answer).toMatchObject({ status, text: JSON.stringify({ message }) });
  expect(answer.headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/) as string,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
  });
}

describe('the request', () => {
  test('reaches the handler parsed and checked', async () => {
    const answer = await rawRequest(echoes.origin, '/api/things/%C3%A9?limit=7&other=1', {
      method: 'PUT',
      headers: { 'Content-Type': 'Application/JSON; charset="UTF-8"' },
      body: '{"text":"ü","isAdmin":true}',
    });

    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({ id: 'é', text: 'ü', limit: '7' });
  });

  test.each([
    ['nothing', undefined],
    ['an empty body', ''],
  ])('is refused with %s where a body is asked for', async (_what, body) => {
    expectRefusal(await put(body), 400, 'A JSON body is required.');
  });

  test.each([
    ['what is cut off', '{"text":'],
    ['what is no JSON', 'text=1'],
    ['two values', '{}{}'],
    ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('is refused with %s as its body', async (_what, body) => {
    expectRefusal(await put(body), 400, 'The body is not valid JSON.');
  });

  test.each(['null', '7', '"text"', 'true', '[]'])(
    'is refused with %s as its body',
    async (body) => {
      expectRefusal(await put(body), 400, 'The body must be an object.');
    },
  );

  test('is refused with the name of the field that does not fit', async () => {
    expectRefusal(await put('{"text":7}'), 400, 'text must be a string.');
  });

  test.each([
    ['none', {}],
    ['text/plain', { 'Content-Type': 'text/plain' }],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['multipart without a boundary', { 'Content-Type': 'multipart/form-data' }],
    ['another charset', { 'Content-Type': 'application/json; charset=latin1' }],
    ['an unknown charset', { 'Content-Type': 'application/json; charset=nonsense' }],
    ['nonsense', { 'Content-Type': 'a/b/c;;=' }],
  ])('is refused with %s as its content type', async (_what, headers) => {
    expectRefusal(
      await put('{"text":"a"}', headers),
      415,
      'The Content-Type must be application/json, in UTF-8.',
    );
  });

  test.each(['identity', 'Identity'])('is taken in the encoding %s', async (encoding) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding };

    expect((await put('{"text":"x"}', headers)).status).toBe(200);
  });

  test.each(['gzip', 'br', 'nonsense'])('is refused in the encoding %s', async (encoding) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding };

    expectRefusal(
      await put(gzipSync('{"text":"a"}'), headers),
      415,
      'The body must be sent without a Content-Encoding.',
    );
  });

  test('is taken with 1 MiB and refused with a byte more', async () => {
    const padding = MIB - '{"text":""}'.length;

    expect((await put(JSON.stringify({ text: 'x'.repeat(padding) }))).status).toBe(200);
    expectRefusal(
      await put(JSON.stringify({ text: 'x'.repeat(padding + 1) })),
      413,
      'The body must not be larger than 1 MiB.',
    );
  });

  test.each(['/things/%', '/things/%zz', '/things/%E0%A4%A'])(
    'is refused for the malformed escape in %s',
    async (path) => {
      const answer = await rawRequest(echoes.origin, path, { method: 'PUT' });

      expectRefusal(answer, 400, 'The path has a malformed percent-escape.');
    },
  );

  test('is refused for a malformed escape in the query', async () => {
    const answer = await withGifts(ada, (origin) => rawRequest(origin, '/?a=%zz'));

    expectRefusal(answer, 400, 'The query has a malformed percent-escape.');
  });

  test('is refused at another path before its method is looked at', async () => {
    const answer = await rawRequest(echoes.origin, '/nothing', { method: 'POST', body: '{' });

    expectRefusal(answer, 404, 'There is no endpoint at this path.');
  });

  test('is refused with another method before its body is looked at', async () => {
    const answer = await rawRequest(echoes.origin, '/things/a', { method: 'POST', body: '{' });

    expectRefusal(answer, 405, 'This endpoint only accepts PUT.');
    expect(answer.headers.allow).toBe('PUT, OPTIONS');
  });

  test('may carry a body of any kind where none is asked for', async () => {
    const answer = await getGift(ada, {
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body: '{bad',
    });

    expect(answer).toMatchObject({ status: 200, text: '{"name":"Ada"}' });
  });
});

describe('the answer', () => {
  test('holds no field that the response schema does not name', async () => {
    const answer = await getGift(() => ({ name: 'Ada', passwordHash: 'x' }));

    expect(answer.text).toBe('{"name":"Ada"}');
  });

  test('may be cached for as long as the parameter says, and has a tag that gives 304', async () => {
    const first = await getGift(ada);
    const etag = first.headers.etag ?? '';

    const again = await getGift(ada, { headers: { 'If-None-Match': etag } });
    const strong = await getGift(ada, { headers: { 'If-None-Match': etag.slice(2) } });
    const changed = await getGift(() => ({ name: 'Bea' }), { headers: { 'If-None-Match': etag } });

    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    for (const answer of [first, again, changed]) {
      // What is left of the time, its age rounded up.
      expect(answer.headers['cache-control']).toMatch(
        /^public, max-age=0, s-maxage=(300|299|298)$/,
      );
      expect(answer.headers.vary).toBe('Origin, Accept-Encoding');
    }
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(again.headers).toMatchObject({ etag });
    expect(again.headers).not.toHaveProperty('content-length');
    expect(strong.status).toBe(304);
    expect(changed).toMatchObject({ status: 200, text: '{"name":"Bea"}' });
  });

  test('is read once for callers at once, and tells caches how much of its time is left', async () => {
    let reads = 0;
    const clock = jest.spyOn(Date, 'now');
    const answers = await withGifts(
      () => {
        reads += 1;
        return ada();
      },
      async (origin) => {
        const first = await Promise.all([1, 2, 3].map(() => rawRequest(origin, '/')));
        const start = Date.now();
        clock.mockImplementation(() => start + 100_500);
        return [...first, await rawRequest(origin, '/?ignored=1')];
      },
    );
    clock.mockRestore();

    expect(reads).toBe(1);
    expect(answers.map(({ text }) => text)).toEqual(answers.map(() => '{"name":"Ada"}'));
    expect(answers[3]?.headers['cache-control']).toMatch(/s-maxage=(199|198)$/);
  });

  test('is read for each caller, and cached nowhere, where the parameter is 0', async () => {
    process.env.PAGE_CACHE_SECONDS = '0';
    let reads = 0;
    const answers = await withGifts(
      () => {
        reads += 1;
        return ada();
      },
      (origin) => Promise.all([1, 2, 3].map(() => rawRequest(origin, '/'))),
    );
    process.env.PAGE_CACHE_SECONDS = '300';

    expect(reads).toBe(3);
    for (const { headers } of answers) {
      expect(headers['cache-control']).toBe('public, max-age=0, s-maxage=0');
      expect(headers.etag).toBe(answers[0]?.headers.etag);
    }
  });

  test('comes compressed from 1 KiB on, with the tag that it has without', async () => {
    const large = () => ({ name: 'x'.repeat(2000) });
    const [packed, plain] = await withGifts(large, async (origin) =>
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

  test('has a head of its own for HEAD', async () => {
    const [got, head] = await Promise.all([getGift(ada), getGift(ada, { method: 'HEAD' })]);

    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers).toMatchObject({
      etag: got.headers.etag,
      'content-length': got.headers['content-length'],
      'content-type': got.headers['content-type'],
    });
  });

  test('has a request id of its own each time', async () => {
    const answers = await Promise.all([getGift(ada), getGift(ada)]);

    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(2);
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

  async function answerTo(error: unknown): Promise<RawResponse> {
    return getGift(() => {
      throw error;
    });
  }

  test.each([
    ['invalid-argument', 400],
    ['unauthenticated', 401],
    ['permission-denied', 403],
    ['not-found', 404],
    ['resource-exhausted', 429],
  ] as const)('with our code %s is %i, with its own message', async (code, status) => {
    expectRefusal(await answerTo(new HttpsError(code, 'Said so.')), status, 'Said so.');
  });

  test.each([
    ['the gRPC code 14', Object.assign(new Error('projects/p'), { code: 14 })],
    ['Firestore’s code', new FirestoreError('NOT_FOUND', 'projects/p does not exist')],
    ['no code', new TypeError('secret')],
    ['no error', 'secret'],
    ['nothing', undefined],
    ['our code internal', new HttpsError('internal', 'secret')],
  ])(
    'with %s is 500, logged with the request id, and tells the caller nothing',
    async (_what, error) => {
      const answer = await answerTo(error);

      expectRefusal(answer, 500, GENERAL);
      expect(logger.error).toHaveBeenCalledWith(
        error,
        expect.objectContaining({
          requestId: answer.headers['x-request-id'],
          context: {
            httpRequest: { method: 'GET', url: `/gifts-${gifts}`, responseStatusCode: 500 },
          },
        }),
      );
    },
  );

  test('with our code unavailable is 503, and its text is for the log', async () => {
    const error = new HttpsError('unavailable', 'secret');

    const answer = await answerTo(error);

    expectRefusal(answer, 503, PASSING);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    expect(logger.warn).toHaveBeenCalledWith(error, { requestId: answer.headers['x-request-id'] });
  });

  test('is what an answer becomes that does not fit the response schema', async () => {
    expectRefusal(await getGift(() => ({ name: 7 })), 500, GENERAL);
  });

  test('comes when the deadline has passed, whatever the work does', async () => {
    const answer = await getGift(() => new Promise(() => undefined));

    expectRefusal(answer, 503, PASSING);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
  });
});

describe('another origin', () => {
  test.each(['https://app.example.com', 'https://www.example.com'])(
    'is let in where the parameter names it: %s',
    async (origin) => {
      const answer = await getGift(ada, { headers: { Origin: origin } });

      expect(answer.headers['access-control-allow-origin']).toBe(origin);
      expect(answer.headers.vary).toContain('Origin');
    },
  );

  test.each(['https://evil.example', 'https://app.example.com.evil.example', 'null'])(
    'is not let in where the parameter does not name it: %s',
    async (origin) => {
      const answer = await getGift(ada, { headers: { Origin: origin } });

      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect(answer.headers.vary).toContain('Origin');
    },
  );

  test('is told by a preflight what it may send', async () => {
    const answer = await rawRequest(echoes.origin, '/things/a', {
      method: 'OPTIONS',
      headers: { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'PUT' },
    });

    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-methods': 'GET,HEAD,POST,PUT,DELETE',
      'access-control-allow-headers':
        'Authorization,Content-Type,If-None-Match,X-Firebase-AppCheck',
      'access-control-max-age': '3600',
    });
  });

  test.each(['/', '/nothing', '/things/%zz', '/things/a/b', '*'])(
    'gets to read the refusal of a mistyped request: the preflight of %s',
    async (path) => {
      const answer = await rawRequest(echoes.origin, path, {
        method: 'OPTIONS',
        headers: { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'GET' },
      });

      expect(answer).toMatchObject({ status: 204, text: '' });
      expect(answer.headers['access-control-allow-methods']).toBe('GET,HEAD,POST,PUT,DELETE');
    },
  );

  test('may read every header that our answers have', async () => {
    const answer = await getGift(ada, { headers: { Origin: 'https://app.example.com' } });

    expect(answer.headers['access-control-expose-headers']).toBe(
      'Allow,Deprecation,ETag,RateLimit,RateLimit-Policy,Retry-After,Sunset,WWW-Authenticate,X-Request-Id',
    );
  });
});

describe('a parameter whose deployed value is not valid', () => {
  test.each([
    ['DEADLINE_SECONDS', '0'],
    ['ALLOWED_ORIGINS', 'app.example.com'],
    ['PAGE_CACHE_SECONDS', '-1'],
    ['ADDRESS_REQUESTS_PER_MINUTE', 'many'],
    ['APP_CHECK', 'on'],
  ])('is 500 for each request, with one clear line in the log: %s', async (name, value) => {
    const error = jest.spyOn(logger, 'error').mockImplementation();
    const before = process.env[name];

    const answers = await withGifts(ada, async (origin) => {
      process.env[name] = value;
      const broken = [await rawRequest(origin, '/'), await rawRequest(origin, '/')];
      if (before === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before;
      return [...broken, await rawRequest(origin, '/')];
    });
    const lines = error.mock.calls.map(([logged]) => (logged as Error).message);
    error.mockRestore();

    expect(answers.map(({ status }) => status)).toEqual([500, 500, 200]);
    expect(JSON.parse(answers[0]?.text ?? '')).toEqual({
      message: 'Something went wrong on our side. Please try again later.',
    });
    const line = `The deployed value of the parameter ${name} is invalid.`;
    expect(lines).toEqual([line, line]);
  });
});
