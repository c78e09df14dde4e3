/** How the client sends a call: retries, timeout, tokens, pages. */
import { getEventListeners } from 'node:events';
import {
  createMarketplaceClient,
  firebaseToken,
  MarketplaceError,
  pages,
  type ErrorCode,
  type MarketplaceClient,
} from '@tattoo-marketplace/client';
import { call } from '../src/call.ts';
import {
  neverRespond,
  resetConnection,
  respondJson,
  respondText,
  startStubServer,
  type Responder,
  type StubServer,
} from '../../../dev/testing/stubServer.ts';

let server: StubServer;

beforeAll(async () => {
  server = await startStubServer();
});

afterAll(() => server.stop());

/** A client of a service that responds to each request with the next of these responses, then with the last one. */
function clientOf(options: object, ...responses: Responder[]) {
  server.setResponses(...responses);
  // The slash at its end may be left out, as test/service/smoke does.
  const baseUrl = `http://${server.address}/api/`;
  return { api: createMarketplaceClient({ baseUrl, ...options }), requests: server.requests };
}

const done = respondJson({ success: true });

function respondError(status: number, code?: ErrorCode, retryAfter?: string): Responder {
  return (response) => {
    if (code !== undefined) response.setHeader('X-Error-Code', code);
    if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
    response.writeHead(status, { 'X-Request-Id': 'request-1' });
    response.end(JSON.stringify({ message: 'Not now.' }));
  };
}

/** Sends a call, whatever it resolves with. */
type Send = (api: MarketplaceClient) => Promise<unknown>;

const read: Send = (api) => api.artists.list();
const write: Send = (api) => api.notifications.resetNewNotifications();
const remove: Send = (api) => api.gallery.removePhotos({ photoIds: ['a'] });
const deleteSession: Send = (api) =>
  api.bookings.deleteSession({ bookingId: 'a', sessionNumber: 1 });

const page = respondJson({ messages: [], hasMore: true, nextCursor: 'a' });
const readPages: Send = async (api) => {
  const messages = pages(api.conversations.getMessages, { conversationId: 'c' });
  await messages.next();
  return messages.next();
};

describe('a call', () => {
  test.each<{
    name: string;
    response: Responder;
    retried: readonly string[];
    mayHaveSucceeded: boolean;
  }>([
    {
      name: 'a lost connection',
      response: resetConnection,
      retried: ['read', 'write'],
      mayHaveSucceeded: true,
    },
    {
      name: '429',
      response: respondError(429),
      retried: ['read', 'write', 'deleteSession'],
      mayHaveSucceeded: false,
    },
    {
      name: '503 unavailable',
      response: respondError(503, 'unavailable'),
      retried: ['read', 'write', 'deleteSession'],
      mayHaveSucceeded: false,
    },
    {
      name: '503 outcome-unknown',
      response: respondError(503, 'outcome-unknown'),
      retried: ['read', 'write'],
      mayHaveSucceeded: true,
    },
    {
      name: '502',
      response: respondError(502),
      retried: ['read', 'write'],
      mayHaveSucceeded: true,
    },
    {
      name: '504',
      response: respondError(504),
      retried: ['read', 'write'],
      mayHaveSucceeded: true,
    },
    {
      name: '408 request-timeout',
      response: respondError(408, 'request-timeout'),
      retried: ['read', 'write', 'deleteSession'],
      mayHaveSucceeded: false,
    },
    {
      name: '408 of a proxy',
      response: respondError(408),
      retried: ['read', 'write'],
      mayHaveSucceeded: true,
    },
    { name: '500', response: respondError(500, 'internal'), retried: [], mayHaveSucceeded: true },
    {
      name: '400',
      response: respondError(400, 'invalid-argument'),
      retried: [],
      mayHaveSucceeded: false,
    },
  ])(
    'after $name, $retried are retried, and mayHaveSucceeded of a write is $mayHaveSucceeded',
    async ({ response, retried, mayHaveSucceeded }) => {
      for (const [name, send] of Object.entries({ read, write, deleteSession })) {
        await expect(send(clientOf({ retries: 0 }, response).api)).rejects.toMatchObject({
          name: 'MarketplaceError',
          mayHaveSucceeded: mayHaveSucceeded && name !== 'read',
        });
        const result = await send(clientOf({}, response, done).api).catch(() => undefined);
        expect([name, result !== undefined]).toEqual([name, retried.includes(name)]);
      }
    },
  );

  test.each<{ response: Responder; code: ErrorCode }>([
    { response: resetConnection, code: 'no-response' },
    { response: respondError(502), code: 'platform' },
    { response: respondError(503, 'unavailable'), code: 'unavailable' },
  ])('fails with the code $code', async ({ response, code }) => {
    await expect(read(clientOf({ retries: 0 }, response).api)).rejects.toMatchObject({ code });
  });

  const gone = respondError(404, 'not-found');
  const redirect: Responder = (response) => {
    response.writeHead(307, { Location: '/elsewhere' }).end();
  };
  const foreignMessage = (status: number): unknown =>
    expect.stringMatching(`responded with status ${status} and a body that is not from the API.$`);

  test.each<{
    name: string;
    send: Send;
    options?: object;
    responses: Responder[];
    error: object;
  }>([
    {
      name: 'a 404 after a 429',
      send: remove,
      responses: [respondError(429), gone],
      error: { status: 404, code: 'not-found', message: 'Not now.', attempts: 2 },
    },
    {
      name: 'a 404 after a lost connection',
      send: remove,
      responses: [resetConnection, gone],
      error: {
        status: 404,
        code: 'not-found',
        message: 'Not now.',
        attempts: 2,
        mayHaveSucceeded: true,
      },
    },
    {
      name: 'a body that is not JSON',
      send: read,
      responses: [respondText('<html>')],
      error: { status: 200, code: 'platform', message: foreignMessage(200), attempts: 1 },
    },
    {
      name: 'a body that is null',
      send: read,
      responses: [respondJson(null)],
      error: { status: 200, code: 'platform', message: foreignMessage(200), attempts: 1 },
    },
    {
      name: 'a redirect, which it does not follow',
      send: write,
      responses: [redirect, done],
      error: {
        status: 307,
        code: 'platform',
        message: foreignMessage(307),
        attempts: 1,
        mayHaveSucceeded: true,
      },
    },
    {
      name: 'the retries of the client, if options of the call are undefined',
      send: (api) => api.artists.list(undefined, { retries: undefined, timeout: undefined }),
      options: { retries: 1, timeout: undefined },
      responses: [respondError(503)],
      error: { status: 503, code: 'platform', message: foreignMessage(503), attempts: 2 },
    },
    {
      name: 'no response in time',
      send: write,
      options: { timeout: 100 },
      responses: [neverRespond],
      error: {
        status: 0,
        code: 'no-response',
        message: 'The API did not respond within 0.1 s.',
        attempts: 1,
        mayHaveSucceeded: true,
      },
    },
    {
      name: 'no token in time',
      send: write,
      options: { timeout: 100, token: () => new Promise(() => undefined) },
      responses: [neverRespond],
      error: {
        status: 0,
        code: 'no-token',
        message: 'The app provided no token within 0.1 s.',
        attempts: 0,
      },
    },
  ])('fails after $name', async ({ send, options = {}, responses, error }) => {
    await expect(send(clientOf(options, ...responses).api)).rejects.toMatchObject({
      mayHaveSucceeded: false,
      ...error,
    });
  });

  test('reports what it has sent if its timeout expires before a retry', async () => {
    jest.useFakeTimers();
    const fetch = () => {
      // The device's clock is set back, so that the time for a retry seems to suffice.
      jest.setSystemTime(Date.now() - 60_000);
      return Promise.resolve(new Response('', { status: 503, headers: { 'Retry-After': '20' } }));
    };
    const written = write(clientOf({ fetch, timeout: 1_000 }).api).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(1_000);
    jest.useRealTimers();

    expect(await written).toMatchObject({
      code: 'no-response',
      attempts: 1,
      mayHaveSucceeded: true,
    });
  });

  test('waits as long as Retry-After says, unless the timeout expires earlier', async () => {
    const { api, requests } = clientOf(
      {},
      respondError(503, 'unavailable', '1'),
      done,
      respondError(429, undefined, '60'),
    );
    const started = performance.now();
    await write(api);

    // A timer may fire a little early.
    expect(performance.now() - started).toBeGreaterThan(990);
    const told = { requestId: 'request-1', retryAfter: 60 };
    await expect(read(api)).rejects.toMatchObject(told);
    expect(requests).toHaveLength(3);
  });

  test('is aborted by its signal, while it waits for a response or for a retry', async () => {
    const { api, requests } = clientOf({}, respondError(503, undefined, '20'), neverRespond);
    const controller = new AbortController();

    const waiting = api.artists.list(undefined, { signal: controller.signal });
    const reason = waiting.catch((error: unknown) => error);
    while (requests.length === 0) await new Promise(setImmediate);
    controller.abort();

    expect(await reason).toMatchObject({ name: 'AbortError' });
    await expect(api.artists.list(undefined, { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(requests).toHaveLength(1);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('encodes ids and cursors in the URL', async () => {
    const { api, requests } = clientOf({}, done);

    await api.flash.listByArtist({ id: 'a b/ü', cursor: '&=?', limit: undefined });

    expect(requests[0]?.path).toBe('/api/flash/artist/a%20b%2F%C3%BC/paginated?cursor=%26%3D%3F');
  });

  test.each(['', '.', '..'])('throws without sending anything for the id %p', async (id) => {
    const { api, requests } = clientOf({}, done);

    await expect(api.flash.listByArtist({ id })).rejects.toMatchObject({ name: 'TypeError' });
    expect(requests).toEqual([]);
  });

  test.each([Infinity, 2 ** 31])('has no limit if its timeout is %d', async (timeout) => {
    jest.useFakeTimers();
    const fetch = () =>
      new Promise((resolve) => setTimeout(resolve, 60_000)).then(() => Response.json([]));
    const listed = clientOf({ timeout, fetch }).api.artists.list();
    await jest.advanceTimersByTimeAsync(60_000);
    jest.useRealTimers();

    expect(await listed).toEqual([]);
  });
});

describe('a call that creates', () => {
  const create = (input: object, options: object = {}) =>
    call(
      { method: 'POST', path: '/things', retry: 'idempotency-key' },
      input,
      { baseUrl: `http://${server.address}` },
      options,
    );
  const keysSent = () => server.requests.map(({ headers }) => headers['idempotency-key']);

  test('has a key of its own, and is repeated with the same one and the same input', async () => {
    server.setResponses(resetConnection, respondError(503, 'outcome-unknown'), done);
    const input = { text: 'a' };

    const created = create(input);
    input.text = 'b';
    await created;
    await create(input);

    const [key, ...others] = keysSent();
    expect(key).toMatch(/^[!-~]{20,200}$/);
    expect(others.map((other) => other === key)).toEqual([true, true, false]);
    expect(server.requests.map(({ body }) => body)).toEqual(
      ['a', 'a', 'a', 'b'].map((text) => ({ text })),
    );
  });

  test('has the key that the app gives; other calls have none', async () => {
    const options = { idempotencyKey: 'mine' };
    const { api } = clientOf({}, done);

    await create({}, options);
    await api.notifications.resetNewNotifications(undefined, options);

    expect(keysSent()).toEqual(['mine', undefined]);
  });
});

test.each([undefined, '', '//api', '127.0.0.1:5000/api', 'https:///api'])(
  'a client of %p is rejected, with what its baseUrl must be',
  (baseUrl) => {
    expect(() => createMarketplaceClient({ baseUrl } as { baseUrl: string })).toThrow(
      `baseUrl must be the address of the API, such as https://PROJECT.web.app/api, not ${JSON.stringify(baseUrl)}.`,
    );
  },
);

describe('the pages of a list', () => {
  const down = new MarketplaceError('Not now.', { status: 503, code: 'unavailable' });
  const gone = new MarketplaceError('Gone.', { status: 400, code: 'cursor-not-found' });

  /** A list whose pages have these cursors for the next one (the last has none), or fail; and the cursors that it gets. */
  function listOf(results: readonly (string | MarketplaceError)[], from?: string) {
    const cursors: (string | undefined)[] = [];
    const list = ({ cursor }: { cursor?: string | undefined }) => {
      const result = results[cursors.push(cursor) - 1] ?? 'past the end';
      if (typeof result !== 'string') return Promise.reject(result);
      return Promise.resolve({ nextCursor: result === 'last' ? undefined : result });
    };
    const listed = pages(list, { cursor: from });
    const next = () =>
      listed.next().then(
        ({ value, done = false }) => (done ? 'over' : (value?.nextCursor ?? 'last')),
        (error: unknown) => (error as MarketplaceError).code,
      );
    return { listed, next, cursors };
  }

  test.each<[string, (string | MarketplaceError)[], given: string, asked: string, from?: string]>([
    ['end after the last one', ['b', 'last'], 'b last over over', ' b'],
    ['ask for a page that failed again', [down, 'b', 'last'], 'unavailable b last over', '  b'],
    ['fail if the cursor is gone', ['b', gone, gone], 'b cursor-not-found', ' b'],
    ['fail if two lead to each other', ['y', 'z', 'y'], 'y z y cursor-not-found', ' y z'],
    ['fail if one leads to where the caller began', ['z'], 'z cursor-not-found', 'z', 'z'],
  ])('%s', async (...row) => {
    const [, results, given, asked, from] = row;
    const { next, cursors } = listOf(results, from);
    const found: string[] = [];
    while (found.length < given.split(' ').length) found.push(await next());

    expect(found.join(' ')).toBe(given);
    expect(cursors.join(' ')).toBe(asked);
  });

  test('are read one at a time for concurrent calls of next(), and end with done', async () => {
    const { next, cursors } = listOf(['a', down, 'last']);

    expect(await Promise.all([1, 2, 3, 4].map(next))).toEqual(['a', 'unavailable', 'last', 'over']);
    expect(cursors).toEqual([undefined, 'a', 'a']);
  });

  test('go on after a loop that a failure has ended', async () => {
    const { listed } = listOf(['a', down, 'last']);
    const found: unknown[] = [];
    const read = async () => {
      for await (const { nextCursor } of listed) found.push(nextCursor);
    };

    await expect(read()).rejects.toBe(down);
    await read();

    expect(found).toEqual(['a', undefined]);
  });
});

describe('the token', () => {
  test('is sent only with operations that need it', async () => {
    const token = jest.fn(() => Promise.resolve('token-1'));
    const { api, requests } = clientOf({ token }, done);

    await read(api);
    await write(api);

    const sent = requests.map(({ headers }) => headers.authorization);
    expect(sent).toEqual([undefined, 'Bearer token-1']);
    expect(token).toHaveBeenCalledTimes(1);
  });

  test('is sent only after Firebase has restored the session, and renewed once after a 401', async () => {
    const auth = {
      currentUser: null as { getIdToken(forceRefresh?: boolean): Promise<string> } | null,
      authStateReady() {
        const getIdToken = (isNew = false) => Promise.resolve(isNew ? 'new' : 'restored');
        this.currentUser = { getIdToken };
        return Promise.resolve();
      },
    };
    const rejected = respondError(401, 'unauthenticated');
    const options = { token: firebaseToken(auth), retries: 0 };
    const session = { bookingId: 'a', sessionNumber: 1 };
    const { api, requests } = clientOf(options, rejected, done, rejected);

    await api.bookings.deleteSession(session);

    await expect(api.bookings.deleteSession(session)).rejects.toMatchObject({
      code: 'unauthenticated',
      attempts: 2,
      mayHaveSucceeded: false,
    });
    const sent = requests.map(({ headers }) => headers.authorization);
    expect(sent).toEqual([1, 2].flatMap(() => ['Bearer restored', 'Bearer new']));
  });

  const offline = new Error('There is no network.');

  test.each<[string, first: Responder[], mayHaveSucceeded: boolean]>([
    ['nothing was done', [respondError(401)], false],
    ['the change may have been made', [resetConnection, respondError(401)], true],
  ])('that cannot be renewed ends the call, and %s', async (_what, reactions, mayHaveSucceeded) => {
    const token = (isForced = false) => (isForced ? Promise.reject(offline) : Promise.resolve('a'));
    const { api } = clientOf({ token }, ...reactions);

    await expect(write(api)).rejects.toMatchObject({
      status: 401,
      mayHaveSucceeded,
      cause: offline,
    });
  });

  test('that is not renewed in time ends the call with no-token', async () => {
    const token = (isForced = false) =>
      isForced ? new Promise(() => undefined) : Promise.resolve('a');
    const { api } = clientOf({ token, timeout: 1_000 }, resetConnection, respondError(401));

    await expect(write(api)).rejects.toMatchObject({
      code: 'no-token',
      message: 'The app provided no token within 1 s.',
      attempts: 2,
      mayHaveSucceeded: true,
    });
  });

  test('that does not come the first time fails with its own error', async () => {
    await expect(write(clientOf({ token: () => Promise.reject(offline) }).api)).rejects.toBe(
      offline,
    );
  });

  /** ID tokens, as far as the client reads them: the first one of Alice, then others. */
  const alicesThen = (sub?: string) => {
    const of = (sub: string) =>
      `x.${Buffer.from(JSON.stringify({ name: 'Zoë ÿ~?', sub })).toString('base64url')}.x`;
    return jest
      .fn()
      .mockResolvedValueOnce(of('älice'))
      .mockResolvedValue(sub && of(sub));
  };

  test.each<[string, Send, string | undefined, Responder[], outcome: object]>([
    ['the same user', write, 'älice', [respondError(401), done], {}],
    [
      'another user',
      write,
      'bob',
      [respondError(401), done],
      { attempts: 1, mayHaveSucceeded: false },
    ],
    [
      'nobody',
      write,
      undefined,
      [resetConnection, respondError(401)],
      { attempts: 2, mayHaveSucceeded: true },
    ],
    ['another user between pages', readPages, 'bob', [page], { mayHaveSucceeded: false }],
    [
      'another user, and needs no token',
      write,
      'bob',
      [respondError(503, 'unavailable'), done],
      {},
    ],
  ])('is never that of another user than the one who started the call: %s', async (...row) => {
    const [, send, sub, reactions, outcome] = row;
    const { api, requests } = clientOf({ token: alicesThen(sub) }, ...reactions);

    const result = await send(api).catch((thrown: unknown) => thrown);

    const isRejected = 'mayHaveSucceeded' in outcome;
    expect(result).toMatchObject(isRejected ? { code: 'user-changed', ...outcome } : outcome);
    expect(result instanceof Error).toBe(isRejected);
    const sent = new Set(requests.map(({ headers }) => headers.authorization));
    expect(sent.size).toBe(1);
  });

  test('is not sent if nobody is signed in, even without Firebase’s authStateReady', async () => {
    expect(await firebaseToken({ currentUser: null })()).toBeUndefined();
  });
});
