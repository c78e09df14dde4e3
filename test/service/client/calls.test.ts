/** How the client sends a call: retries, timeout, tokens, pages; and that it covers every operation of the service. */
import {
  createMarketplaceClient,
  firebaseToken,
  MarketplaceError,
  pages,
  type ErrorCode,
} from '@tattoo-marketplace/client';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const servers: Server[] = [];

/** A server that responds to each request with the next of these responses, then with the last one. */
async function serviceOf(...responses: [RequestListener, ...RequestListener[]]) {
  const requests: {
    method: string | undefined;
    url: string | undefined;
    token: string | undefined;
  }[] = [];
  const server = createServer((request, response) => {
    const respond = responses[Math.min(requests.length, responses.length - 1)];
    const { method, url, headers } = request;
    requests.push({ method, url, token: headers.authorization });
    respond?.(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/api`, requests };
}

const done: RequestListener = (_request, response) => {
  response.end(JSON.stringify({ success: true }));
};
const lost: RequestListener = (request) => {
  request.socket.destroy();
};
const silence: RequestListener = () => {
  // Never responds.
};

function refusal(
  status: number,
  code?: ErrorCode,
  headers: Record<string, string> = {},
): RequestListener {
  return (_request, response) => {
    if (code !== undefined) response.setHeader('X-Error-Code', code);
    response.writeHead(status, { 'X-Request-Id': 'request-1', ...headers });
    response.end(JSON.stringify({ message: 'Not now.' }));
  };
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Calls an operation of a client, by name. */
const CALLS = {
  read: (api) => api.artists.list(),
  write: (api) => api.notifications.resetNewNotifications(),
  deleteSession: (api) => api.bookings.deleteSession({ bookingId: 'a', sessionNumber: 1 }),
} satisfies Record<string, (api: ReturnType<typeof createMarketplaceClient>) => Promise<unknown>>;

/** Fetches like an app whose first connection is refused. */
function refusedFirst(): typeof fetch {
  let isFirst = true;
  return async (...args) => {
    if (!isFirst) return fetch(...args);
    isFirst = false;
    const { baseUrl } = await serviceOf(done);
    servers.pop()?.close();
    return fetch(baseUrl);
  };
}

describe('a call', () => {
  test.each<
    [
      failure: string,
      RequestListener | undefined,
      ErrorCode,
      repeats: string,
      mayHaveSucceeded: boolean,
    ]
  >([
    ['a lost connection', lost, 'no-response', 'read write', true],
    ['a refused connection', undefined, 'no-response', 'read write deleteSession', false],
    [
      '429',
      refusal(429, 'resource-exhausted'),
      'resource-exhausted',
      'read write deleteSession',
      false,
    ],
    ['429 of the platform', refusal(429), 'platform', 'read write deleteSession', false],
    [
      '503, nothing done',
      refusal(503, 'unavailable'),
      'unavailable',
      'read write deleteSession',
      false,
    ],
    ['503, unknown', refusal(503, 'outcome-unknown'), 'outcome-unknown', 'read write', true],
    ['503 of the platform', refusal(503), 'platform', 'read write', true],
    ['502', refusal(502), 'platform', 'read write', true],
    ['504', refusal(504), 'platform', 'read write', true],
    ['408', refusal(408, 'request-timeout'), 'request-timeout', 'read write deleteSession', false],
    ['408 of a proxy', refusal(408), 'platform', 'read write', true],
    ['500', refusal(500, 'internal'), 'internal', '', true],
    ['400', refusal(400, 'invalid-argument'), 'invalid-argument', '', false],
    ['401', refusal(401, 'unauthenticated'), 'unauthenticated', '', false],
    ['403', refusal(403, 'permission-denied'), 'permission-denied', '', false],
    ['404', refusal(404, 'not-found'), 'not-found', '', false],
    ['a page instead of JSON', (_, response) => void response.end('<html>'), 'platform', '', true],
  ])('after %s says what is known, and is repeated where that does no harm', async (...row) => {
    const [, failure, code, repeats, mayHaveSucceeded] = row;
    const clientOf = async (options: object) => {
      const { baseUrl, requests } = await serviceOf(failure ?? done, done);
      const refused = failure === undefined && { fetch: refusedFirst() };
      return { api: createMarketplaceClient({ baseUrl, ...refused, ...options }), requests };
    };

    for (const [name, call] of Object.entries(CALLS)) {
      const once = await clientOf({ retries: 0 });
      const error: unknown = await call(once.api).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(MarketplaceError);
      expect(error).toMatchObject({ code, mayHaveSucceeded: mayHaveSucceeded && name !== 'read' });

      const { api } = await clientOf({});
      const outcome = await call(api).then(
        () => 'repeated',
        (thrown: unknown) => (thrown as MarketplaceError).attempts,
      );
      expect([name, outcome]).toEqual([name, repeats.includes(name) ? 'repeated' : 1]);
    }
  });

  test.each([
    ['after 429, nothing was done', refusal(429), false],
    ['after a lost connection, it may have been', lost, true],
  ])('tells a 404 from a deletion that an earlier attempt has made: %s', async (...row) => {
    const [, first, mayHaveSucceeded] = row;
    const { baseUrl } = await serviceOf(first, refusal(404, 'not-found'));

    const removal = createMarketplaceClient({ baseUrl }).gallery.removePhotos({ photoIds: ['a'] });

    await expect(removal).rejects.toMatchObject({ status: 404, attempts: 2, mayHaveSucceeded });
  });

  test('waits as long as Retry-After says', async () => {
    const { baseUrl } = await serviceOf(refusal(503, 'unavailable', { 'Retry-After': '1' }), done);
    const api = createMarketplaceClient({ baseUrl });
    const started = performance.now();

    await api.notifications.resetNewNotifications();

    // A timer may fire a little early.
    expect(performance.now() - started).toBeGreaterThan(990);
  });

  test('fails at once if Retry-After is longer than the remaining time', async () => {
    const { baseUrl, requests } = await serviceOf(refusal(429, undefined, { 'Retry-After': '60' }));
    const api = createMarketplaceClient({ baseUrl });

    await expect(api.artists.list()).rejects.toMatchObject({
      status: 429,
      message: 'Not now.',
      requestId: 'request-1',
      retryAfter: 60,
      attempts: 1,
    });
    expect(requests).toHaveLength(1);
  });

  test('fails after its last retry, with the number of attempts', async () => {
    const { baseUrl, requests } = await serviceOf(refusal(503));
    const api = createMarketplaceClient({ baseUrl, retries: 1 });

    await expect(api.artists.list()).rejects.toMatchObject({ status: 503, attempts: 2 });
    expect(requests).toHaveLength(2);
  });

  test('has the settings of the client where its own are undefined', async () => {
    const { baseUrl, requests } = await serviceOf(refusal(503));
    const api = createMarketplaceClient({ baseUrl, retries: 0, timeout: undefined });

    await expect(
      api.artists.list(undefined, { retries: undefined, timeout: undefined }),
    ).rejects.toMatchObject({ status: 503, attempts: 1 });
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['for a response, which may mean success', undefined, true],
    ['for a token', () => new Promise<string>(() => undefined), false],
  ])('times out while it waits %s', async (_name, token, mayHaveSucceeded) => {
    const { baseUrl } = await serviceOf(silence);
    const api = createMarketplaceClient({ baseUrl, token, timeout: 100 });

    await expect(api.notifications.resetNewNotifications()).rejects.toMatchObject({
      name: 'MarketplaceError',
      message: 'The API did not respond within 0.1 s.',
      status: 0,
      code: 'no-response',
      mayHaveSucceeded,
    });
  });

  test('is aborted by its signal, while it waits for a response or for a retry', async () => {
    const { baseUrl, requests } = await serviceOf(
      refusal(503, undefined, { 'Retry-After': '20' }),
      silence,
    );
    const api = createMarketplaceClient({ baseUrl });
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
  });

  test('encodes ids and cursors in the URL', async () => {
    const { baseUrl, requests } = await serviceOf(done);
    const api = createMarketplaceClient({ baseUrl: `${baseUrl}/` });

    await api.flash.listByArtist({ id: 'a b/ü', cursor: '&=?', limit: undefined });

    expect(requests[0]?.url).toBe('/api/flash/artist/a%20b%2F%C3%BC/paginated?cursor=%26%3D%3F');
  });

  test.each([undefined, null, '', '.', '..'])('throws if the id in its path is %p', async (id) => {
    const { baseUrl, requests } = await serviceOf(done);
    const { flash } = createMarketplaceClient({ baseUrl });

    await expect(flash.listByArtist({ id } as unknown as { id: string })).rejects.toThrow(
      new TypeError('id must be an id.'),
    );
    expect(requests).toEqual([]);
  });
});

describe('the pages of a list', () => {
  interface Page {
    flash: { id: string }[];
    nextCursor?: string;
  }
  const gone = new MarketplaceError('No such cursor.', { status: 400, code: 'cursor-not-found' });
  const down = new MarketplaceError('Not now.', { status: 503, code: 'unavailable' });

  /** A list that gives the next of these results each time, and notes the cursors: elements, and whether there are more. */
  function listOf(...results: (Error | [elements: string, nextCursor?: string])[]) {
    const cursors: (string | undefined)[] = [];
    const list = ({ cursor }: { cursor?: string | undefined }): Promise<Page> => {
      cursors.push(cursor);
      const result = results.shift() ?? new Error('Read past the end.');
      if (result instanceof Error) return Promise.reject(result);
      const [elements, nextCursor] = result;
      const flash = Array.from(elements, (id) => ({ id }));
      return Promise.resolve({ flash, ...(nextCursor !== undefined && { nextCursor }) });
    };
    return { list, cursors };
  }

  /** What `next()` gives: the elements of the page, `over`, or the code of the error. */
  async function nextOf({ next }: ReturnType<typeof pages<object, Page>>): Promise<string> {
    try {
      const { value } = await next();
      return value?.flash.map(({ id }) => id).join('') ?? 'over';
    } catch (error) {
      return (error as MarketplaceError).code;
    }
  }

  test.each<[string, Parameters<typeof listOf>, string[], (string | undefined)[]]>([
    [
      'ends after the last one',
      [['ab', 'b'], ['c']],
      ['ab', 'c', 'over', 'over'],
      [undefined, 'b'],
    ],
    ['has one without elements if there are none', [['']], ['', 'over'], [undefined]],
    [
      'asks for a page that failed again',
      [down, ['ab', 'b'], down, down, ['c']],
      ['unavailable', 'ab', 'unavailable', 'unavailable', 'c', 'over'],
      [undefined, undefined, 'b', 'b', 'b'],
    ],
    [
      'starts again without the elements that were given if its cursor is gone',
      [['ab', 'b'], gone, ['ac', 'c'], ['d', 'd'], gone, ['ac', 'c'], ['d']],
      ['ab', 'c', 'd', 'over'],
      [undefined, 'b', undefined, 'c', 'd', undefined, 'c'],
    ],
    [
      'gives up after four new starts, and can go on',
      [
        ['a', 'a'],
        gone,
        ['a', 'a'],
        gone,
        ['a', 'a'],
        gone,
        ['a', 'a'],
        gone,
        ['a', 'a'],
        gone,
        ['b'],
      ],
      ['a', 'cursor-not-found', 'b', 'over'],
      [undefined, 'a', undefined, 'a', undefined, 'a', undefined, 'a', undefined, 'a', 'a'],
    ],
    [
      'does not start again from a cursor of the caller',
      [gone, ['a']],
      ['cursor-not-found', 'a'],
      [undefined, undefined],
    ],
    ['gives an element that has moved once', [['ab', 'b'], ['bc']], ['ab', 'c'], [undefined, 'b']],
  ])('%s', async (_name, results, expected, sent) => {
    jest.useFakeTimers();
    try {
      const { list, cursors } = listOf(...results);
      const listed = pages(list, {});
      const given: string[] = [];
      while (given.length < expected.length) {
        const next = nextOf(listed);
        await jest.advanceTimersByTimeAsync(15_000);
        given.push(await next);
      }

      expect(given).toEqual(expected);
      expect(cursors).toEqual(sent);
    } finally {
      jest.useRealTimers();
    }
  });

  test('waits before it starts again', async () => {
    jest.useFakeTimers();
    try {
      const { list, cursors } = listOf(['a', 'a'], gone, ['b']);
      const listed = pages(list, {});
      await listed.next();
      const next = listed.next();
      await jest.advanceTimersByTimeAsync(999);
      expect(cursors).toEqual([undefined, 'a']);
      await jest.advanceTimersByTimeAsync(1);

      expect((await next).value).toEqual({ flash: [{ id: 'b' }] });
    } finally {
      jest.useRealTimers();
    }
  });

  test('come one after the other to calls at once, and never past the end', async () => {
    const { list, cursors } = listOf(['a', 'a'], down, ['b']);
    const listed = pages(list, {});

    const given = await Promise.all([1, 2, 3, 4].map(() => nextOf(listed)));

    expect(given).toEqual(['a', 'unavailable', 'b', 'over']);
    expect(cursors).toEqual([undefined, 'a', 'a']);
  });

  test('go on after a loop that a failure has ended', async () => {
    const { list } = listOf(['a', 'a'], down, ['b']);
    const listed = pages(list, {});
    const given: string[] = [];
    const read = async () => {
      for await (const { flash } of listed) given.push(...flash.map(({ id }) => id));
    };

    await expect(read()).rejects.toBe(down);
    await read();

    expect(given).toEqual(['a', 'b']);
  });
});

describe('the token', () => {
  test('is sent only with operations that need it', async () => {
    const { baseUrl, requests } = await serviceOf(done);
    const token = jest.fn(() => Promise.resolve('token-1'));
    const api = createMarketplaceClient({ baseUrl, token });

    await api.artists.list();
    await api.notifications.resetNewNotifications();

    expect(requests.map((request) => request.token)).toEqual([undefined, 'Bearer token-1']);
    expect(token).toHaveBeenCalledTimes(1);
  });

  test('is sent only after Firebase has restored the session', async () => {
    const auth = {
      currentUser: null as { getIdToken(): Promise<string> } | null,
      authStateReady() {
        this.currentUser = { getIdToken: () => Promise.resolve('restored') };
        return Promise.resolve();
      },
    };

    expect(await firebaseToken(auth)()).toBe('restored');
  });

  test('is not sent if nobody is signed in, even without Firebase’s authStateReady', async () => {
    expect(await firebaseToken({ currentUser: null })()).toBeUndefined();
  });
});

interface ApiDocument {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly operationId: string; readonly security: readonly object[] }>
      >
    >
  >;
}

describe('the package', () => {
  test('has every operation of the document, with its method, its path and its authentication', async () => {
    const { paths } = JSON.parse(readFileSync('public/openapi.json', 'utf8')) as ApiDocument;
    const { baseUrl, requests } = await serviceOf(done);
    const api = createMarketplaceClient({ baseUrl, token: () => Promise.resolve('token') });
    const documented = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId, security }]) => ({
        operationId,
        request: {
          method: method.toUpperCase(),
          // The value of each path parameter is its name.
          url: `/api${path.replace(/[{}]/g, '')}`,
          token: security.some((scheme) => 'idToken' in scheme) ? 'Bearer token' : undefined,
        },
      })),
    );
    const groups = Object.entries(api) as [string, Record<string, (input: object) => unknown>][];
    const callable = groups.flatMap(([group, operations]) =>
      Object.entries(operations).map(([name, call]) => ({ operationId: `${group}-${name}`, call })),
    );

    expect(callable.map(({ operationId }) => operationId).sort()).toEqual(
      documented.map(({ operationId }) => operationId).sort(),
    );
    for (const { operationId, request } of documented) {
      const parameters = [...request.url.matchAll(/(?<=\/)(id|artistId)(?=\/)/g)].map(([name]) => [
        name,
        name,
      ]);
      await callable
        .find((one) => one.operationId === operationId)
        ?.call(Object.fromEntries(parameters) as object);
      expect(requests.at(-1)).toEqual(request);
    }
  });

  test('has no dependencies', () => {
    const manifest = JSON.parse(readFileSync('public/client/package.json', 'utf8')) as object;

    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('peerDependencies');
  });
});
