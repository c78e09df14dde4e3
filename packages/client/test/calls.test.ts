/** The calls of the client: retries, timeout, tokens, pages. */
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
} from '../../../test/support/google/stubServer.ts';

let server: StubServer;

beforeAll(async () => {
  server = await startStubServer();
});

afterAll(() => server.stop());

/** Creates a client of a service that sends these responses, and then repeats the last one. */
function createClient(options: object, ...responses: Responder[]) {
  server.setResponses(...responses);
  // The slash at the end is optional. test/service/smoke omits it.
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

/** Makes a call. */
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
    'after $name, the client retries $retried, and mayHaveSucceeded of a write is $mayHaveSucceeded',
    async ({ response, retried, mayHaveSucceeded }) => {
      for (const [name, send] of Object.entries({ read, write, deleteSession })) {
        await expect(send(createClient({ retries: 0 }, response).api)).rejects.toMatchObject({
          name: 'MarketplaceError',
          mayHaveSucceeded: mayHaveSucceeded && name !== 'read',
        });
        const result = await send(createClient({}, response, done).api).catch(() => undefined);
        expect([name, result !== undefined]).toEqual([name, retried.includes(name)]);
      }
    },
  );

  test.each<{ response: Responder; code: ErrorCode }>([
    { response: resetConnection, code: 'no-response' },
    { response: respondError(502), code: 'platform' },
    { response: respondError(503, 'unavailable'), code: 'unavailable' },
  ])('has the error code $code', async ({ response, code }) => {
    await expect(read(createClient({ retries: 0 }, response).api)).rejects.toMatchObject({ code });
  });

  const notFound = respondError(404, 'not-found');
  const redirect: Responder = (response) => {
    response.writeHead(307, { Location: '/elsewhere' }).end();
  };
  const matchForeignMessage = (status: number): unknown =>
    expect.stringMatching(`responded with status ${status} and a body that is not from the API.$`);

  test.each<{
    name: string;
    send: Send;
    options?: object;
    responses: Responder[];
    error: object;
  }>([
    {
      name: 'a 429 and a 404',
      send: remove,
      responses: [respondError(429), notFound],
      error: { status: 404, code: 'not-found', message: 'Not now.', attempts: 2 },
    },
    {
      name: 'a lost connection and a 404',
      send: remove,
      responses: [resetConnection, notFound],
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
      error: { status: 200, code: 'platform', message: matchForeignMessage(200), attempts: 1 },
    },
    {
      name: 'a body that is null',
      send: read,
      responses: [respondJson(null)],
      error: { status: 200, code: 'platform', message: matchForeignMessage(200), attempts: 1 },
    },
    {
      name: 'a redirect without following it',
      send: write,
      responses: [redirect, done],
      error: {
        status: 307,
        code: 'platform',
        message: matchForeignMessage(307),
        attempts: 1,
        mayHaveSucceeded: true,
      },
    },
    {
      name: 'the retries of the client if the options of the call are undefined',
      send: (api) => api.artists.list(undefined, { retries: undefined, timeout: undefined }),
      options: { retries: 1, timeout: undefined },
      responses: [respondError(503)],
      error: { status: 503, code: 'platform', message: matchForeignMessage(503), attempts: 2 },
    },
    {
      name: 'its timeout without a response',
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
      name: 'its timeout without a token',
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
    await expect(send(createClient(options, ...responses).api)).rejects.toMatchObject({
      mayHaveSucceeded: false,
      ...error,
    });
  });

  test.each([
    { name: 'is retried', change: 'forward', changeMs: 3_600_000, retryAfter: '0', attempts: 2 },
    { name: 'fails at once', change: 'back', changeMs: -60_000, retryAfter: '20', attempts: 1 },
  ])('$name if the clock of the device is set $change', async (row) => {
    const respond: Responder = (...exchange) => {
      const now = Date.now();
      jest.spyOn(Date, 'now').mockReturnValue(now + row.changeMs);
      respondError(503, undefined, row.retryAfter)(...exchange);
    };
    const { api } = createClient({ timeout: 10_000, retries: 1 }, respond);

    await expect(write(api)).rejects.toMatchObject({
      status: 503,
      attempts: row.attempts,
      mayHaveSucceeded: true,
    });
  });

  test('waits for Retry-After, but fails at once if that exceeds the timeout', async () => {
    const { api, requests } = createClient(
      {},
      respondError(503, 'unavailable', '1'),
      done,
      respondError(429, undefined, '60'),
    );
    const startedAt = performance.now();
    await write(api);

    // A timer may fire a little early.
    expect(performance.now() - startedAt).toBeGreaterThan(990);
    await expect(read(api)).rejects.toMatchObject({ requestId: 'request-1', retryAfter: 60 });
    expect(requests).toHaveLength(3);
  });

  test('is aborted by its signal while it waits for a retry, and if the signal has aborted before', async () => {
    const { api, requests } = createClient({}, respondError(503, undefined, '20'), neverRespond);
    const controller = new AbortController();

    const result = api.artists
      .list(undefined, { signal: controller.signal })
      .catch((error: unknown) => error);
    while (requests.length === 0) await new Promise(setImmediate);
    controller.abort();

    expect(await result).toMatchObject({ name: 'AbortError' });
    await expect(api.artists.list(undefined, { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(requests).toHaveLength(1);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('rejects with an AbortError if the signal has no reason, as in React Native', async () => {
    const signal = Object.assign(new EventTarget(), { aborted: true }) as AbortSignal;
    const { api } = createClient({}, neverRespond);

    await expect(api.artists.list(undefined, { signal })).rejects.toMatchObject({
      name: 'AbortError',
      message: 'The call was aborted.',
    });
  });

  test('encodes ids and cursors in the URL', async () => {
    const { api, requests } = createClient({}, done);

    await api.flash.listByArtist({ id: 'a b/ü', cursor: '&=?', limit: undefined });

    expect(requests[0]?.path).toBe('/api/flash/artist/a%20b%2F%C3%BC/paginated?cursor=%26%3D%3F');
  });

  test.each(['', '.', '..'])('throws without sending anything for the ID %j', async (id) => {
    const { api, requests } = createClient({}, done);

    await expect(api.flash.listByArtist({ id })).rejects.toMatchObject({ name: 'TypeError' });
    expect(requests).toEqual([]);
  });

  test.each([Infinity, 2 ** 31])(
    'does not time out after 60 s if its timeout is %d',
    async (timeout) => {
      jest.useFakeTimers();
      const fetch = () =>
        new Promise((resolve) => setTimeout(resolve, 60_000)).then(() => Response.json([]));
      const result = createClient({ timeout, fetch }).api.artists.list();
      await jest.advanceTimersByTimeAsync(60_000);
      jest.useRealTimers();

      expect(await result).toEqual([]);
    },
  );
});

describe('a call that creates a document', () => {
  const create = (input: object, options: object = {}) =>
    call(
      { method: 'POST', path: '/things', retry: 'idempotency-key' },
      input,
      { baseUrl: `http://${server.address}` },
      options,
    );
  const getSentKeys = () => server.requests.map(({ headers }) => headers['idempotency-key']);

  test('has its own key, and is retried with the same key and input', async () => {
    server.setResponses(resetConnection, respondError(503, 'outcome-unknown'), done);
    const input = { text: 'a' };

    const firstCall = create(input);
    input.text = 'b';
    await firstCall;
    await create(input);

    const [firstKey, ...laterKeys] = getSentKeys();
    expect(firstKey).toMatch(/^[!-~]{20,200}$/);
    expect(laterKeys.map((key) => key === firstKey)).toEqual([true, true, false]);
    expect(server.requests.map(({ body }) => body)).toEqual(
      ['a', 'a', 'a', 'b'].map((text) => ({ text })),
    );
  });

  test('uses the idempotencyKey of the app, which other calls ignore', async () => {
    const options = { idempotencyKey: 'mine' };
    const { api } = createClient({}, done);

    await create({}, options);
    await api.notifications.resetNewNotifications(undefined, options);

    expect(getSentKeys()).toEqual(['mine', undefined]);
  });
});

test.each([undefined, '', '//api', '127.0.0.1:5000/api', 'https:///api'])(
  'createMarketplaceClient rejects the baseUrl %p',
  (baseUrl) => {
    expect(() => createMarketplaceClient({ baseUrl } as { baseUrl: string })).toThrow(
      `baseUrl must be the address of the API, such as https://PROJECT.web.app/api, not ${JSON.stringify(baseUrl)}.`,
    );
  },
);

describe('the pages of a list', () => {
  const unavailable = new MarketplaceError('Not now.', { status: 503, code: 'unavailable' });
  const cursorNotFound = new MarketplaceError('Gone.', { status: 400, code: 'cursor-not-found' });

  /** A page with this next cursor (`last` for none), or an error. */
  type PageResult = string | MarketplaceError;

  /**
   * Creates the pages of a list with these results. `next` reads a page: its next cursor, `last`, `done` or an error code.
   * `cursors` are the cursors that the list receives.
   */
  function createPages(results: readonly PageResult[], firstCursor?: string) {
    const cursors: (string | undefined)[] = [];
    const list = ({ cursor }: { cursor?: string | undefined }) => {
      const result = results[cursors.length] ?? 'beyond the last page';
      cursors.push(cursor);
      if (typeof result !== 'string') return Promise.reject(result);
      return Promise.resolve({ nextCursor: result === 'last' ? undefined : result });
    };
    const iterator = pages(list, { cursor: firstCursor });
    const next = () =>
      iterator.next().then(
        ({ value, done = false }) => (done ? 'done' : (value?.nextCursor ?? 'last')),
        (error: unknown) => (error as MarketplaceError).code,
      );
    return { iterator, next, cursors };
  }

  test.each<{
    name: string;
    results: readonly PageResult[];
    firstCursor?: string;
    read: readonly string[];
    cursors: readonly (string | undefined)[];
  }>([
    {
      name: 'are done after the last one',
      results: ['b', 'last'],
      read: ['b', 'last', 'done', 'done'],
      cursors: [undefined, 'b'],
    },
    {
      name: 'read a page again that failed',
      results: [unavailable, 'b', 'last'],
      read: ['unavailable', 'b', 'last', 'done'],
      cursors: [undefined, undefined, 'b'],
    },
    {
      name: 'fail if the document of the cursor was deleted',
      results: ['b', cursorNotFound],
      read: ['b', 'cursor-not-found'],
      cursors: [undefined, 'b'],
    },
    {
      name: 'fail if two pages refer to each other',
      results: ['y', 'z', 'y'],
      read: ['y', 'z', 'y', 'cursor-not-found'],
      cursors: [undefined, 'y', 'z'],
    },
    {
      name: 'fail if a page refers to the first one',
      results: ['z'],
      firstCursor: 'z',
      read: ['z', 'cursor-not-found'],
      cursors: ['z'],
    },
  ])('$name', async ({ results, firstCursor, read, cursors }) => {
    const list = createPages(results, firstCursor);
    const pagesRead: string[] = [];
    while (pagesRead.length < read.length) pagesRead.push(await list.next());

    expect(pagesRead).toEqual(read);
    expect(list.cursors).toEqual(cursors);
  });

  test('are read one at a time for concurrent calls of next(), and end with done', async () => {
    const { next, cursors } = createPages(['a', unavailable, 'last']);

    expect(await Promise.all([1, 2, 3, 4].map(next))).toEqual(['a', 'unavailable', 'last', 'done']);
    expect(cursors).toEqual([undefined, 'a', 'a']);
  });

  test('continue after a failed loop', async () => {
    const { iterator } = createPages(['a', unavailable, 'last']);
    const nextCursors: unknown[] = [];
    const readAll = async () => {
      for await (const { nextCursor } of iterator) nextCursors.push(nextCursor);
    };

    await expect(readAll()).rejects.toBe(unavailable);
    await readAll();

    expect(nextCursors).toEqual(['a', undefined]);
  });
});

describe('the token', () => {
  test('is sent only with operations that need it', async () => {
    const token = jest.fn(() => Promise.resolve('token-1'));
    const { api, requests } = createClient({ token }, done);

    await read(api);
    await write(api);

    const sentTokens = requests.map(({ headers }) => headers.authorization);
    expect(sentTokens).toEqual([undefined, 'Bearer token-1']);
    expect(token).toHaveBeenCalledTimes(1);
  });

  test('is requested after Firebase has restored the session, and renewed once after a 401', async () => {
    const auth = {
      currentUser: null as { getIdToken(forceRefresh?: boolean): Promise<string> } | null,
      authStateReady() {
        const getIdToken = (forceRefresh = false) =>
          Promise.resolve(forceRefresh ? 'new' : 'restored');
        this.currentUser = { getIdToken };
        return Promise.resolve();
      },
    };
    const unauthenticated = respondError(401, 'unauthenticated');
    const options = { token: firebaseToken(auth), retries: 0 };
    const { api, requests } = createClient(options, unauthenticated, done, unauthenticated);

    await deleteSession(api);

    await expect(deleteSession(api)).rejects.toMatchObject({
      code: 'unauthenticated',
      attempts: 2,
      mayHaveSucceeded: false,
    });
    const sentTokens = requests.map(({ headers }) => headers.authorization);
    expect(sentTokens).toEqual(['Bearer restored', 'Bearer new', 'Bearer restored', 'Bearer new']);
  });

  const networkError = new Error('There is no network.');

  test.each<{ name: string; responses: Responder[]; mayHaveSucceeded: boolean }>([
    { name: 'nothing was done', responses: [respondError(401)], mayHaveSucceeded: false },
    {
      name: 'the change may have been made',
      responses: [resetConnection, respondError(401)],
      mayHaveSucceeded: true,
    },
  ])('fails with the 401 if it cannot be renewed, and $name', async (row) => {
    const token = (forceRefresh = false) =>
      forceRefresh ? Promise.reject(networkError) : Promise.resolve('a');
    const { api } = createClient({ token }, ...row.responses);

    await expect(write(api)).rejects.toMatchObject({
      status: 401,
      mayHaveSucceeded: row.mayHaveSucceeded,
      cause: networkError,
    });
  });

  test('fails with no-token if it is not renewed in time', async () => {
    const token = (forceRefresh = false) =>
      forceRefresh ? new Promise(() => undefined) : Promise.resolve('a');
    const { api } = createClient({ token, timeout: 1_000 }, resetConnection, respondError(401));

    await expect(write(api)).rejects.toMatchObject({
      code: 'no-token',
      message: 'The app provided no token within 1 s.',
      attempts: 2,
      mayHaveSucceeded: true,
    });
  });

  test('fails with the error of the app if the first one is not available', async () => {
    const { api } = createClient({ token: () => Promise.reject(networkError) });

    await expect(write(api)).rejects.toBe(networkError);
  });

  /** Creates an ID token with the parts that the client reads. */
  function createToken(sub: string): string {
    const payload = Buffer.from(JSON.stringify({ name: 'Zoë ÿ~?', sub })).toString('base64url');
    return `x.${payload}.x`;
  }

  /** Creates a token source that returns a token of Älice, and then tokens of another user or none. */
  function createTokenSource(laterUser: string | undefined) {
    return jest
      .fn()
      .mockResolvedValueOnce(createToken('älice'))
      .mockResolvedValue(laterUser && createToken(laterUser));
  }

  test.each<{ name: string; laterUser: string; responses: Responder[] }>([
    {
      name: 'the renewed token belongs to the same user',
      laterUser: 'älice',
      responses: [respondError(401), done],
    },
    {
      name: 'the user changes, but a retry needs no new token',
      laterUser: 'bob',
      responses: [respondError(503, 'unavailable'), done],
    },
  ])('keeps the user of the call if $name', async ({ laterUser, responses }) => {
    const { api, requests } = createClient({ token: createTokenSource(laterUser) }, ...responses);

    await expect(write(api)).resolves.toEqual({ success: true });
    expect(new Set(requests.map(({ headers }) => headers.authorization)).size).toBe(1);
  });

  test.each<{
    name: string;
    send: Send;
    laterUser: string | undefined;
    responses: Responder[];
    error: object;
  }>([
    {
      name: 'the renewed token belongs to another user',
      send: write,
      laterUser: 'bob',
      responses: [respondError(401), done],
      error: { attempts: 1, mayHaveSucceeded: false },
    },
    {
      name: 'the user signed out',
      send: write,
      laterUser: undefined,
      responses: [resetConnection, respondError(401)],
      error: { attempts: 2, mayHaveSucceeded: true },
    },
    {
      name: 'another user signed in between two pages',
      send: readPages,
      laterUser: 'bob',
      responses: [page],
      error: { mayHaveSucceeded: false },
    },
  ])('fails with user-changed if $name', async ({ send, laterUser, responses, error }) => {
    const { api, requests } = createClient({ token: createTokenSource(laterUser) }, ...responses);

    await expect(send(api)).rejects.toMatchObject({ code: 'user-changed', ...error });
    expect(new Set(requests.map(({ headers }) => headers.authorization)).size).toBe(1);
  });

  test('is not sent for a caller without a user: the call fails with user-changed', async () => {
    const { api, requests } = createClient({ token: createTokenSource('älice') });
    const result = api.conversations.getMessages(
      { conversationId: 'c' },
      { caller: { sub: undefined } },
    );

    await expect(result).rejects.toMatchObject({ code: 'user-changed' });
    expect(requests).toEqual([]);
  });

  test.each([undefined, null, ''])(
    'is not required for a caller without a user: %p',
    async (token) => {
      const { api } = createClient({ token: () => Promise.resolve(token) }, page);
      const input = { conversationId: 'c' };

      await expect(
        api.conversations.getMessages(input, { caller: { sub: undefined } }),
      ).resolves.toMatchObject({ messages: [] });
    },
  );

  test('of the first user who signs in decides to whom the pages of a list belong', async () => {
    const token = jest.fn().mockResolvedValueOnce(undefined).mockResolvedValue(createToken('bob'));
    const { api } = createClient({ token }, respondError(401, 'unauthenticated'), page);
    const list = pages(api.conversations.getMessages, { conversationId: 'c' });

    await expect(list.next()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await list.next()).toMatchObject({ done: false });
  });

  test('is undefined if no user is signed in, even without Firebase’s authStateReady', async () => {
    expect(await firebaseToken({ currentUser: null })()).toBeUndefined();
  });
});

describe('the App Check token', () => {
  const getSentTokens = () => server.requests.map(({ headers }) => headers['x-firebase-appcheck']);

  test('is sent with each call', async () => {
    const { api } = createClient({ appCheckToken: () => Promise.resolve('token-1') }, done);

    await read(api);
    await write(api);

    expect(getSentTokens()).toEqual(['token-1', 'token-1']);
  });

  test.each<{ name: string; appCheckToken: () => Promise<string> }>([
    {
      name: 'rejects',
      appCheckToken: () => Promise.reject(new Error('AppCheck: Requests throttled.')),
    },
    {
      name: 'throws',
      appCheckToken: () => {
        throw new Error('AppCheck: not initialized.');
      },
    },
    { name: 'takes 5 seconds', appCheckToken: () => new Promise(() => undefined) },
  ])('is omitted if its source $name', async ({ appCheckToken }) => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    const { api } = createClient({ appCheckToken }, done);

    const result = read(api);
    await jest.advanceTimersByTimeAsync(5_000);
    jest.useRealTimers();

    expect(await result).toEqual({ success: true });
    expect(getSentTokens()).toEqual([undefined]);
  });
});
