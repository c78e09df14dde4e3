/** How the client sends a call: retries, timeout, tokens; and that it covers every operation of the service. */
import { createMarketplaceClient, firebaseToken } from '@tattoo-marketplace/client';
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

function refusal(status: number, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => {
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

describe('a call', () => {
  test.each([
    ['a lost connection', lost],
    ['429', refusal(429)],
    ['503', refusal(503)],
  ])('is retried after %s', async (_name, failure) => {
    const { baseUrl, requests } = await serviceOf(failure, done);
    const api = createMarketplaceClient({ baseUrl });

    const response = await api.notifications.resetNewNotifications();

    expect(response).toEqual({ success: true });
    expect(requests).toHaveLength(2);
  });

  test('waits as long as Retry-After says', async () => {
    const { baseUrl } = await serviceOf(refusal(503, { 'Retry-After': '1' }), done);
    const api = createMarketplaceClient({ baseUrl });
    const started = performance.now();

    await api.notifications.resetNewNotifications();

    // A timer may fire a little early.
    expect(performance.now() - started).toBeGreaterThan(990);
  });

  test('fails at once if Retry-After is longer than the remaining time', async () => {
    const { baseUrl, requests } = await serviceOf(refusal(429, { 'Retry-After': '60' }));
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

  test.each([400, 401, 403, 404, 500])('is not retried after %i', async (status) => {
    const { baseUrl, requests } = await serviceOf(refusal(status));

    await expect(createMarketplaceClient({ baseUrl }).artists.list()).rejects.toMatchObject({
      status,
    });
    expect(requests).toHaveLength(1);
  });

  test('fails with status 0 if there is no response within its timeout', async () => {
    const { baseUrl } = await serviceOf(silence);
    const api = createMarketplaceClient({ baseUrl, timeout: 100 });

    await expect(api.artists.list()).rejects.toMatchObject({
      name: 'MarketplaceError',
      message: 'The API did not respond within 0.1 s.',
      status: 0,
    });
  });

  test('times out while it waits for a token', async () => {
    const { baseUrl } = await serviceOf(done);
    const token = () => new Promise<string>(() => undefined);
    const api = createMarketplaceClient({ baseUrl, token, timeout: 100 });

    await expect(api.notifications.resetNewNotifications()).rejects.toMatchObject({ status: 0 });
  });

  test('is aborted by its signal, while it waits for a response or for a retry', async () => {
    const { baseUrl, requests } = await serviceOf(refusal(503, { 'Retry-After': '20' }), silence);
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

  test('fails with the status of a response that is not JSON', async () => {
    const { baseUrl } = await serviceOf((_request, response) => {
      response.writeHead(504).end('<html>');
    });

    await expect(createMarketplaceClient({ baseUrl }).artists.list()).rejects.toMatchObject({
      status: 504,
      message: 'The API responded with 504, but not with JSON.',
    });
  });

  test('encodes ids and cursors in the URL', async () => {
    const { baseUrl, requests } = await serviceOf(done);
    const api = createMarketplaceClient({ baseUrl: `${baseUrl}/` });

    await api.flash.listByArtist({ id: 'a b/ü', cursor: '&=?', limit: undefined });

    expect(requests[0]?.url).toBe('/api/flash/artist/a%20b%2F%C3%BC/paginated?cursor=%26%3D%3F');
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
      Object.entries(operations).map(([name, call]) => ({
        operationId: `${group}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
        call,
      })),
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
