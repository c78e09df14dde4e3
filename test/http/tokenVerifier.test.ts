import type { App } from 'firebase-admin/app';
import { logger } from 'firebase-functions/logger';
import {
  BadTokenError,
  tokenVerifier,
  type Failure,
} from '../../functions/src/http/tokenVerifier.ts';

const START = Date.UTC(2026, 0, 1);

/** An error that names its kind of failure. */
class KindError extends Error {
  readonly kind: Failure;

  constructor(kind: Failure) {
    super(`This is a ${kind}.`);
    this.kind = kind;
  }
}

beforeEach(() => {
  process.env.GCLOUD_PROJECT = 'demo-verifier';
  jest.useFakeTimers({ now: START });
  jest.spyOn(logger, 'error').mockImplementation();
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** A verifier whose SDK calls end when the test says so. */
function verifier() {
  const calls: { app: App; token: string; end: PromiseWithResolvers<string> }[] = [];
  const verify = tokenVerifier(
    'Tokens',
    (app, token) => {
      const end = Promise.withResolvers<string>();
      calls.push({ app, token, end });
      return end.promise;
    },
    (error) => (error instanceof KindError ? error.kind : 'keys'),
  );
  return {
    calls,
    /** Verifies a token; returns its claims, or the code of its failure. */
    request: async (token = 'a token') =>
      verify(token).catch((error: unknown) =>
        error instanceof BadTokenError ? 'bad' : (error as { code: string }).code,
      ),
    succeed: async (call: number) => {
      calls[call]?.end.resolve(`claims of ${calls[call].token}`);
      await settled();
    },
    fail: async (call: number, kind: Failure) => {
      calls[call]?.end.reject(new KindError(kind));
      await settled();
    },
  };
}

async function settled(): Promise<void> {
  await jest.advanceTimersByTimeAsync(0);
}

async function pass(ms: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(ms);
}

/** The number of SDK apps used; each app has its own cache of keys. */
function apps(calls: readonly { readonly app: App }[]): number {
  return new Set(calls.map(({ app }) => app)).size;
}

test('concurrent requests wait for one fetch of the keys, and then each verifies its own token', async () => {
  const { request, succeed, calls } = verifier();

  const pending = ['a', 'b', 'c'].map(request);
  expect(calls).toHaveLength(1);
  await succeed(0);
  expect(calls).toHaveLength(3);
  await succeed(1);
  await succeed(2);

  expect(await Promise.all(pending)).toEqual(['claims of a', 'claims of b', 'claims of c']);
  expect(apps(calls)).toBe(1);
});

test('when the fetch fails, all waiting requests fail with it, and the next request fetches again', async () => {
  const { request, fail, succeed, calls } = verifier();

  const pending = ['a', 'b', 'c'].map(request);
  await fail(0, 'keys');
  expect(await Promise.all(pending)).toEqual(['unavailable', 'unavailable', 'unavailable']);
  expect(calls).toHaveLength(1);
  const again = request('a');
  await succeed(1);

  expect(await again).toBe('claims of a');
  expect(apps(calls)).toBe(2);
});

test('a fetch that hangs fails after 5 s, and the next request fetches again', async () => {
  const { request, succeed, calls } = verifier();

  const pending = ['a', 'b'].map(request);
  await pass(4_999);
  expect(calls).toHaveLength(1);
  await pass(1);
  expect(await Promise.all(pending)).toEqual(['unavailable', 'unavailable']);
  const again = request('a');
  await succeed(1);

  expect(await again).toBe('claims of a');
  expect(apps(calls)).toBe(2);
});

test('a refresh of the keys that hangs fails after 5 s, too', async () => {
  const { request, succeed, calls } = verifier();
  void request('a');
  await succeed(0);

  const hung = request('b');
  await pass(5_000);
  expect(await hung).toBe('unavailable');
  const again = request('b');
  await succeed(2);

  expect(await again).toBe('claims of b');
  expect(apps(calls)).toBe(2);
});

test('an invalid token does not fail the waiting requests: they verify in turn', async () => {
  const { request, fail, succeed, calls } = verifier();

  const pending = ['bad', 'a', 'b'].map(request);
  await fail(0, 'badToken');
  expect(calls).toHaveLength(2);
  await succeed(1);
  await succeed(2);

  expect(await Promise.all(pending)).toEqual(['bad', 'claims of a', 'claims of b']);
  expect(apps(calls)).toBe(1);
});

describe('an unknown key', () => {
  test('makes the token invalid if the keys have verified another token', async () => {
    const { request, fail, succeed, calls } = verifier();
    void request('a');
    await succeed(0);

    const forged = request('forged');
    await fail(1, 'unknownKey');

    expect(await forged).toBe('bad');
    const next = request('a');
    await succeed(2);
    expect(await next).toBe('claims of a');
    expect(apps(calls)).toBe(1);
  });

  test('makes the keys suspect if they have verified no token: they are fetched again a second later', async () => {
    const { request, fail, succeed, calls } = verifier();

    const first = request('a');
    await fail(0, 'unknownKey');
    const soon = request('a');
    await fail(1, 'unknownKey');
    expect([await first, await soon]).toEqual(['unavailable', 'unavailable']);
    expect(apps(calls)).toBe(1);
    await pass(1_000);
    const later = request('a');
    await succeed(2);

    expect(await later).toBe('claims of a');
    expect(apps(calls)).toBe(2);
  });

  test('fails only its own request, and no waiting one', async () => {
    const { request, fail, succeed, calls } = verifier();

    const pending = ['forged', 'a', 'b'].map(request);
    await fail(0, 'unknownKey');
    expect(calls).toHaveLength(3);
    await succeed(1);
    await succeed(2);

    expect(await Promise.all(pending)).toEqual(['unavailable', 'claims of a', 'claims of b']);
  });

  test('causes at most one fetch of the keys per second', async () => {
    const { request, fail, calls } = verifier();

    for (let call = 0; call < 50; call += 1) {
      void request('forged');
      await settled();
      await fail(call, 'unknownKey');
      await pass(100);
    }

    expect(calls).toHaveLength(50);
    expect(apps(calls)).toBeLessThanOrEqual(6);
  });
});

test('no failure causes an unhandled rejection', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  for (const kind of ['badToken', 'unknownKey', 'keys'] as const) {
    const { request, fail } = verifier();
    const pending = [request(), request()];
    await fail(0, kind);
    await fail(1, kind);
    await Promise.all(pending);
  }
  const { request, fail } = verifier();
  const hung = request();
  await pass(5_000);
  await hung;
  await fail(0, 'keys');
  jest.useRealTimers();
  await new Promise(setImmediate);
  process.off('unhandledRejection', unhandled);

  expect(unhandled).not.toHaveBeenCalled();
});
