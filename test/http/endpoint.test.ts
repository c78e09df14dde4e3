import { logger } from 'firebase-functions';
import { HttpsError } from 'firebase-functions/https';
import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import { endpoint } from '../../functions/src/http/endpoint.ts';
import { serveInProcess, type ServedEndpoint } from '../support/inProcess.ts';
import { rawRequest, type RawAnswer } from '../support/rawRequest.ts';

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
  process.env.PUBLIC_CACHE_SECONDS = '300';
  process.env.ALLOWED_ORIGINS = 'https://app.example.com, https://www.example.com';
  echoes = await serveInProcess(echo);
});

afterAll(async () => {
  await echoes.stop();
});

/** Asks an endpoint at `/gifts` that answers with what `give` returns. */
async function withGifts<Result>(
  give: () => unknown,
  ask: (origin: string) => Promise<Result>,
): Promise<Result> {
  const gifts = await serveInProcess(
    endpoint({
      method: 'GET',
      path: '/gifts',
      access: 'public',
      summary: 'Give',
      description: 'Answers with what the test wants.',
      response: z.object({ name: z.string() }),
      errors: {},
      handle: () => Promise.resolve(give() as { name: string }),
    }),
  );
  try {
    return await ask(gifts.origin);
  } finally {
    await gifts.stop();
  }
}

async function getGift(
  give: () => unknown,
  options: Parameters<typeof rawRequest>[2] = {},
): Promise<RawAnswer> {
  return withGifts(give, (origin) => rawRequest(origin, '/gifts', options));
}

const ada = () => ({ name: 'Ada' });

async function put(
  body: string | Uint8Array | undefined,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
): Promise<RawAnswer> {
  return rawRequest(echoes.origin, '/things/a', {
    method: 'PUT',
    headers,
    ...(body !== undefined && { body }),
  });
}

function expectRefusal(answer: RawAnswer, status: number, message: string): void {
  expect(answer).toMatchObject({ status, text: JSON.stringify({ message }) });
  expect(answer.headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/) as string,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
    'access-control-expose-headers': 'ETag,RateLimit,RateLimit-Policy,Retry-After,X-Request-Id',
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
    const answer = await withGifts(ada, (origin) => rawRequest(origin, '/gifts?a=%zz'));

    expectRefusal(answer, 400, 'The query has a malformed percent-escape.');
  });

  test('is refused at another path before its method is looked at', async () => {
    const answer = await rawRequest(echoes.origin, '/nothing', { method: 'POST', body: '{' });

    expectRefusal(answer, 404, 'There is no endpoint at this path.');
  });

  test('is refused with another method before its body is looked at', async () => {
    const answer = await rawRequest(echoes.origin, '/things/a', { method: 'POST', body: '{' });

    expectRefusal(answer, 405, 'This endpoint answers PUT only.');
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
    const changed = await getGift(() => ({ name: 'Bea' }), { headers: { 'If-None-Match': etag } });

    expect(first.headers['cache-control']).toBe('public, max-age=300, s-maxage=300');
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(again.headers).toMatchObject({
      etag,
      'cache-control': 'public, max-age=300, s-maxage=300',
    });
    expect(changed).toMatchObject({ status: 200, text: '{"name":"Bea"}' });
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
  const PASSING = 'The service cannot answer right now. Please try again in a few seconds.';

  beforeEach(() => {
    for (const level of ['error', 'warn', 'write'] as const) {
      jest.spyOn(logger, level).mockImplementation(() => undefined);
    }
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  async function answerTo(error: unknown): Promise<RawAnswer> {
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
    ['unavailable', 503],
  ] as const)('with our code %s is %i, with its own message', async (code, status) => {
    expectRefusal(await answerTo(new HttpsError(code, 'Said so.')), status, 'Said so.');
  });

  test.each([4, 8, 10, 14])('with the gRPC code %i is 503, to be tried again', async (code) => {
    const answer = await answerTo(Object.assign(new Error('projects/p/databases/d'), { code }));

    expectRefusal(answer, 503, PASSING);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
  });

  test('with the gRPC code 5 is 404', async () => {
    const answer = await answerTo(Object.assign(new Error('projects/p/databases/d'), { code: 5 }));

    expectRefusal(answer, 404, 'What the request names does not exist.');
  });

  test.each([
    ['the gRPC code 3', Object.assign(new Error('projects/p'), { code: 3 })],
    ['the gRPC code 7', Object.assign(new Error('projects/p'), { code: 7 })],
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
            httpRequest: { method: 'GET', url: '/gifts', responseStatusCode: 500 },
          },
        }),
      );
    },
  );

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
      'access-control-allow-methods': 'PUT',
      'access-control-allow-headers': 'Authorization,Content-Type,X-Firebase-AppCheck',
      'access-control-max-age': '3600',
    });
  });
});
