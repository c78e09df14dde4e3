/** How the client sends a call: retries, timeout, tokens, pages. */
import {
  createMarketplaceClient,
  firebaseToken,
  MarketplaceError,
  pages,
  type ErrorCode,
} from '@tattoo-marketplace/client';
import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { call } from '../src/call.ts';
import { freePortList, LOOPBACK } from '../../../dev/ports.ts';
import {
  hangs,
  resets,
  respondsWith,
  respondsWithText,
  startScriptedServer,
  type Reaction,
  type ScriptedServer,
} from '../../../dev/testing/scriptedServer.ts';

let server: ScriptedServer;

beforeAll(async () => {
  server = await startScriptedServer();
});

afterAll(() => server.stop());

/** An ID token of this user, as far as the client reads it. */
function tokenOf(sub: string): string {
  const [header, payload] = [{ alg: 'none' }, { name: 'Zoë ÿ~?', sub }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `${header}.${payload}.signature`;
}

/** A source of these tokens, one after the other, then of the last one. */
function tokens(...list: (string | undefined)[]) {
  return () => Promise.resolve(list.length > 1 ? list.shift() : list[0]);
}

/** A client of a service that responds to each request with the next of these responses, then with the last one. */
function clientOf(options: object, ...responses: Reaction[]) {
  server.play(...responses);
  // The slash at its end may be left out, as test/service/smoke does.
  const baseUrl = `http://${server.address}/api/`;
  return { api: createMarketplaceClient({ baseUrl, ...options }), requests: server.seen };
}

const done = respondsWith({ success: true });

function refusal(status: number, code?: ErrorCode, retryAfter?: string): Reaction {
  return (response) => {
    if (code !== undefined) response.setHeader('X-Error-Code', code);
    if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
    response.writeHead(status, { 'X-Request-Id': 'request-1' });
    response.end(JSON.stringify({ message: 'Not now.' }));
  };
}

describe('a call', () => {
  type Api = ReturnType<typeof createMarketplaceClient>;
  type Call = (api: Api) => Promise<unknown>;
  const read: Call = (api) => api.artists.list();
  const write: Call = (api) => api.notifications.resetNewNotifications();
  const calls: Readonly<Record<string, Call>> = {
    read,
    write,
    deleteSession: (api) => api.bookings.deleteSession({ bookingId: 'a', sessionNumber: 1 }),
  };
  /** Fetches like an app whose first connection is refused. */
  const refusedFirst = (): typeof fetch => {
    let isFirst = true;
    return async (...args) => {
      if (!isFirst) return fetch(...args);
      isFirst = false;
      const [port = 0] = await freePortList(1);
      return fetch(`http://${LOOPBACK}:${port}`);
    };
  };

  test.each<[status: number | string, code: ErrorCode, repeats: string, ofChange: string]>([
    ['lost connection', '', 'read write', 'may have been made'],
    ['refused connection', '', 'read write deleteSession', 'was not made'],
    [429, 'resource-exhausted', 'read write deleteSession', 'was not made'],
    [429, '', 'read write deleteSession', 'was not made'],
    [503, 'unavailable', 'read write deleteSession', 'was not made'],
    [503, 'outcome-unknown', 'read write', 'may have been made'],
    [503, '', 'read write', 'may have been made'],
    [502, '', 'read write', 'may have been made'],
    [504, '', 'read write', 'may have been made'],
    [408, 'request-timeout', 'read write deleteSession', 'was not made'],
    [408, '', 'read write', 'may have been made'],
    [500, 'internal', '', 'may have been made'],
    [400, 'invalid-argument', '', 'was not made'],
    [401, 'unauthenticated', '', 'was not made'],
    [403, 'permission-denied', '', 'was not made'],
    [404, 'not-found', '', 'was not made'],
  ])('after %s %s the client repeats “%s”, and its error says that a change %s', async (...row) => {
    const [status, code, repeats, ofChange] = row;
    const isRefused = status === 'refused connection';
    // Proves nothing: the connection may have been lost after the request.
    jest.replaceProperty(globalThis, 'navigator', { onLine: false } as unknown as Navigator);
    const failure = typeof status === 'string' ? resets : refusal(status, code || undefined);
    const failing = (options: object) => {
      const refused = isRefused && { fetch: refusedFirst() };
      return clientOf({ ...refused, ...options }, isRefused ? done : failure, done).api;
    };

    for (const [name, call] of Object.entries(calls)) {
      await expect(call(failing({ retries: 0 }))).rejects.toMatchObject({
        name: 'MarketplaceError',
        code: code || (typeof status === 'string' ? 'no-response' : 'platform'),
        mayHaveSucceeded: ofChange === 'may have been made' && name !== 'read',
      });
      const repeated = call(failing({})).then(
        () => true,
        () => false,
      );
      expect([name, await repeated]).toEqual([name, repeats.includes(name)]);
    }
  });

  const remove: Call = (api) => api.gallery.removePhotos({ photoIds: ['a'] });
  const unset: Call = (api) =>
    api.artists.list(undefined, { retries: undefined, timeout: undefined });
  const gone = refusal(404, 'not-found');
  const html = respondsWithText('<html>');
  const limited = refusal(429, undefined, '60');
  const ONE_RETRY = { retries: 1, timeout: undefined };
  const noToken = { timeout: 100, token: () => new Promise(() => undefined) };
  const redirects: Reaction = (response) => {
    response.writeHead(307, { Location: '/elsewhere' }).end();
  };
  const opaque = { type: 'opaqueredirect', status: 0, ok: false, text: () => Promise.resolve('') };
  const inBrowser = { fetch: () => Promise.resolve({ ...opaque, headers: new Headers() }) };
  const [alice, bob] = [tokenOf('älice'), tokenOf('bob')];
  const NO = 'Not now.';
  const foreign = (status: number | string, advice = ' Is `baseUrl` the address of the API\\?') =>
    expect.stringMatching(
      `responded with ${status}, but not as the API does.${advice}$`,
    ) as unknown;
  const SLOW = 'The API did not respond within 0.1 s.';
  const NO_TOKEN = 'There was no token within 0.1 s.';
  const OTHER = 'The user who made this call is no longer signed in.';

  test.each<[string, Call, options: object, Reaction[], error: readonly unknown[]]>([
    ['a 404 after a refusal', remove, {}, [refusal(429), gone], [404, 'not-found', NO, 2]],
    ['a 404 after a loss', remove, {}, [resets, gone], [404, 'not-found', NO, 2, 'done?']],
    ['a body that is no JSON', read, {}, [html], [200, 'platform', foreign(200), 1]],
    ['a body that is null', read, {}, [respondsWith(null)], [200, 'platform', foreign(200), 1]],
    ['a wait past the timeout', read, {}, [limited], [429, 'platform', foreign(429), 1]],
    [
      'the retries of the client',
      unset,
      ONE_RETRY,
      [refusal(503)],
      [503, 'platform', foreign(503, ''), 2],
    ],
    ['a redirect', write, {}, [redirects, done], [307, 'platform', foreign(307), 1, 'done?']],
    [
      'one in a browser',
      write,
      inBrowser,
      [done],
      [0, 'platform', foreign('a redirect'), 1, 'done?'],
    ],
    ['no response', write, { timeout: 100 }, [hangs], [0, 'no-response', SLOW, 1, 'done?']],
    ['no token', write, noToken, [hangs], [0, 'no-token', NO_TOKEN, 0]],
    [
      'a change of users',
      write,
      { token: tokens(alice, bob) },
      [refusal(503, 'unavailable'), done],
      [0, 'user-changed', OTHER, 1],
    ],
    [
      'one after a 401',
      write,
      { token: tokens(alice, bob) },
      [refusal(401), done],
      [0, 'user-changed', OTHER, 1],
    ],
    [
      'one after a loss',
      write,
      { token: tokens(alice, alice, bob) },
      [resets, resets, done],
      [0, 'user-changed', OTHER, 2, 'done?'],
    ],
    [
      'a sign-out',
      write,
      { token: tokens(alice, undefined) },
      [refusal(429), done],
      [0, 'user-changed', OTHER, 1],
    ],
  ])('fails after %s, with what is known', async (...row) => {
    const [, call, options, reactions, expected] = row;

    const error = await call(clientOf(options, ...reactions).api).catch(
      (reason: unknown) => reason,
    );

    const { name, status, code, message, attempts, mayHaveSucceeded } = error as MarketplaceError;
    const doubt = mayHaveSucceeded ? ['done?'] : [];
    expect([status, code, message, attempts, ...doubt]).toEqual(expected);
    expect(name).toBe('MarketplaceError');
  });

  test('tells the id of the request, and waits as long as Retry-After says', async () => {
    const { api } = clientOf({}, refusal(503, 'unavailable', '1'), done, limited);
    const started = performance.now();
    await api.notifications.resetNewNotifications();

    // A timer may fire a little early.
    expect(performance.now() - started).toBeGreaterThan(990);
    const told = { requestId: 'request-1', retryAfter: 60 };
    await expect(read(api)).rejects.toMatchObject(told);
  });

  test('is aborted by its signal, while it waits for a response or for a retry', async () => {
    const { api, requests } = clientOf({}, refusal(503, undefined, '20'), hangs);
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

  test.each([
    ...['', '.', '..'].map((id) => [id, 'token'] as const),
    ['a', 'not\na header'] as const,
  ])('throws without sending anything for the id %p and the token %p', async (id, token) => {
    const { api, requests } = clientOf({ appCheckToken: () => Promise.resolve(token) }, done);

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
    call(['POST', '/things', undefined, 'creates'], input, {
      baseUrl: `http://${server.address}`,
      ...options,
    });
  const keysSent = () => server.seen.map(({ headers }) => headers['idempotency-key']);

  test('has a key of its own, and is repeated with the same one and the same input', async () => {
    server.play(resets, refusal(503, 'outcome-unknown'), done);
    const input = { text: 'a' };

    const created = create(input);
    input.text = 'b';
    await created;
    await create(input);

    const [key, ...others] = keysSent();
    expect(key).toMatch(/^[!-~]{20,200}$/);
    expect(others.map((other) => other === key)).toEqual([true, true, false]);
    expect(server.seen.map(({ body }) => body)).toEqual(
      ['a', 'a', 'a', 'b'].map((text) => ({ text })),
    );
  });

  test('has the key that the app gives; other calls have none', async () => {
    const options = { idempotencyKey: 'mine' };
    const { api } = clientOf({}, done);

    await create({}, options);
    await api.notifications.resetNewNotifications(undefined, options);
    await expect(create({}, { idempotencyKey: 'ключ' })).rejects.toMatchObject({
      name: 'TypeError',
    });

    expect(keysSent()).toEqual(['mine', undefined]);
  });
});

test.each([undefined, '', '/api', '127.0.0.1:5000/api', 'https:///api'])(
  'a client of %p is refused, with what its baseUrl must be',
  (baseUrl) => {
    expect(() => createMarketplaceClient({ baseUrl } as { baseUrl: string })).toThrow(
      `baseUrl must be the address of the API, such as https://PROJECT.web.app/api, not ${JSON.stringify(baseUrl)}.`,
    );
  },
);

describe('the pages of a list', () => {
  const errors: Readonly<Record<string, MarketplaceError>> = {
    gone: new MarketplaceError('No such cursor.', { status: 400, code: 'cursor-not-found' }),
    down: new MarketplaceError('Not now.', { status: 503, code: 'unavailable' }),
  };

  /** A list with these results, and the cursors that it gets: `ab>b` is a page of two elements, with a cursor. */
  function listOf(script: string, from?: string) {
    const results = script.split(' ');
    const cursors: string[] = [];
    const list = ({ cursor = '-' }: { cursor?: string | undefined }) => {
      cursors.push(cursor);
      const [elements = '', nextCursor] = (results.shift() ?? 'past the end').split('>');
      const error = errors[elements];
      if (error !== undefined) return Promise.reject(error);
      return Promise.resolve({ flash: Array.from(elements, (id) => ({ id })), nextCursor });
    };
    return { listed: pages(list, { cursor: from }), cursors };
  }

  /** The elements of the next page, `over`, or what kind of error there was. */
  async function nextOf({ next }: ReturnType<typeof listOf>['listed']): Promise<string> {
    try {
      const { value } = await next();
      return value?.flash.map(({ id }) => id).join('') ?? 'over';
    } catch (error) {
      const { code, status } = error as MarketplaceError;
      const known = Object.entries(errors).find(([, one]) => one.code === code);
      return known?.[1].status === status ? known[0] : String(error);
    }
  }

  test.each<[string, script: string, given: string, asked: string, cursor?: string]>([
    ['end after the last one', 'ab>b c', 'ab c over over', '- b'],
    ['ask for a page that failed again', 'down ab>b down c', 'down ab down c over', '- - b b'],
    ['fail if the cursor is gone', 'ab>b gone gone', 'ab gone gone', '- b b'],
    ['fail if two lead to each other', 'a>y b>z c>y', 'a b c gone gone', '- y z'],
    ['fail if one leads to where the caller began', 'a>z', 'a gone', 'z', 'z'],
  ])('%s', async (...row) => {
    const [, script, given, asked, cursor] = row;
    const { listed, cursors } = listOf(script, cursor);
    const results: string[] = [];
    while (results.length < given.split(' ').length) results.push(await nextOf(listed));

    expect(results.join(' ')).toBe(given);
    expect(cursors.join(' ')).toBe(asked);
  });

  test('come one after the other to calls at once, and never past the end', async () => {
    const { listed, cursors } = listOf('a>a down b');

    const given = await Promise.all([1, 2, 3, 4].map(() => nextOf(listed)));

    expect(given).toEqual(['a', 'down', 'b', 'over']);
    expect(cursors).toEqual(['-', 'a', 'a']);
  });

  test('go on after a loop that a failure has ended, and are one page if the list is empty', async () => {
    const { listed } = listOf('a>a down ');
    const given: number[] = [];
    const read = async () => {
      for await (const { flash } of listed) given.push(flash.length);
    };

    await expect(read()).rejects.toBe(errors.down);
    await read();

    expect(given).toEqual([1, 0]);
  });
});

describe('the token', () => {
  test('is sent only with operations that need it', async () => {
    const token = jest.fn(() => Promise.resolve('token-1'));
    const { api, requests } = clientOf({ token }, done);

    await api.artists.list();
    await api.notifications.resetNewNotifications();

    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Bearer token-1',
    ]);
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
    const refused = refusal(401, 'unauthenticated');
    const options = { token: firebaseToken(auth), retries: 0 };
    const session = { bookingId: 'a', sessionNumber: 1 };
    const { api, requests } = clientOf(options, refused, done, refused);

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
  const inDoubt = { code: 'no-response', attempts: 1, mayHaveSucceeded: true, cause: offline };

  test.each<[string, first: Reaction, error: object, isAborted: boolean]>([
    ['tells of a first that may have been carried out', resets, inDoubt, false],
    ['is passed on if nothing was done', refusal(503, 'unavailable'), offline, false],
    ['is passed on if the call is aborted', resets, { name: 'AbortError' }, true],
  ])('fails for a second attempt: the error %s', async (...row) => {
    const [, first, error, isAborted] = row;
    const caller = new AbortController();
    const tokens = ['token-1'];
    const token = () => {
      const next = tokens.shift();
      if (next !== undefined) return Promise.resolve(next);
      if (isAborted) caller.abort();
      return Promise.reject(offline);
    };
    const { api } = clientOf({ token }, first);

    const call = api.notifications.resetNewNotifications(undefined, { signal: caller.signal });

    await expect(call).rejects.toMatchObject(error);
  });

  test('is renewed by each call that is refused, whatever becomes of another renewal', async () => {
    const renewals = [new Promise<string>(() => undefined), Promise.reject(offline)];
    renewals[1]?.catch(() => undefined);
    let renewed = 0;
    const token = (isForced = false) =>
      isForced ? (renewals[renewed++] ?? Promise.resolve('new')) : Promise.resolve('old');
    const fetch = (_url: string, { headers }: { headers: { Authorization: string } }) =>
      Promise.resolve(
        Response.json({}, { status: headers.Authorization === 'Bearer old' ? 401 : 200 }),
      );
    const { api } = clientOf({ token, fetch, timeout: 500 });

    const results = await Promise.all(
      Array.from({ length: 20 }, () =>
        api.notifications.resetNewNotifications().catch((error: unknown) => error),
      ),
    );

    expect(results.slice(0, 3)).toMatchObject([{ code: 'no-token' }, offline, {}]);
    expect([new Set(results).size, renewed]).toEqual([20, 20]);
  });

  test('of another user ends the pages of a list', async () => {
    const page = respondsWith({ messages: [], hasMore: true, nextCursor: 'a' });
    const { api, requests } = clientOf({ token: tokens(tokenOf('a'), tokenOf('b')) }, page);
    const messages = pages(api.conversations.getMessages, { conversationId: 'c' });
    await messages.next();

    await expect(messages.next()).rejects.toMatchObject({ code: 'user-changed' });
    expect(requests).toHaveLength(1);
  });

  test('is not sent if nobody is signed in, even without Firebase’s authStateReady', async () => {
    expect(await firebaseToken({ currentUser: null })()).toBeUndefined();
  });
});

test('the package has no dependencies, and its documents state its defaults', () => {
  const [code, types, readme, manifest = ''] = [
    'src/call.ts',
    'src/types.ts',
    'README.md',
    'package.json',
  ].map((name) => readFileSync(`packages/client/${name}`, 'utf8').replace(/\s+/g, ' '));
  const { version } = JSON.parse(manifest) as { readonly version: string };
  const [seconds, retries] = [/TIMEOUT_MS = (\d+)_000;/, /RETRIES = (\d+);/].map(
    (constant) => constant.exec(code ?? '')?.[1],
  );

  expect(manifest).not.toMatch(/dependencies"/i);
  expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`\n## ${version}\n`);
  expect(types).toContain(`Default: ${seconds} 000.`);
  expect(types).toContain(`Default: ${retries}.`);
  expect(readme).toContain(`up to ${retries} times, within a timeout of ${seconds} seconds`);
});
