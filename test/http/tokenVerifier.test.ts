import type { App } from 'firebase-admin/app';
import { logger } from 'firebase-functions/logger';
import {
  BadTokenError,
  tokenVerifier,
  type Failure,
} from '../../functions/src/http/tokenVerifier.ts';

const START = Date.UTC(2026, 0, 1);

/** An error that says itself what kind of failure it is. */
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

/** A verifier whose calls of the SDK end when the test says so. */
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
    /** Asks for a verification; gives the claims, or the kind of its failure. */
    ask: async (token = 'a token') =>
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

/** The apps, and so the keys, of which calls were made. */
function apps(calls: readonly { readonly app: App }[]): number {
  return new Set(calls.map(({ app }) => app)).size;
}

test('callers at once wait for one fetch of the keys, and then verify each their own token', async () => {
  const { ask, succeed, calls } = verifier();

  const asked = ['a', 'b', 'c'].map(ask);
  expect(calls).toHaveLength(1);
  await succeed(0);
  expect(calls).toHaveLength(3);
  await succeed(1);
  await succeed(2);

  expect(await Promise.all(asked)).toEqual(['claims of a', 'claims of b', 'claims of c']);
  expect(apps(calls)).toBe(1);
});

test('when the fetch fails, all who wait for it are told, and the next caller fetches anew', async () => {
  const { ask, fail, succeed, calls } = verifier();

  const asked = ['a', 'b', 'c'].map(ask);
  await fail(0, 'keys');
  expect(await Promise.all(asked)).toEqual(['unavailable', 'unavailable', 'unavailable']);
  expect(calls).toHaveLength(1);
  const again = ask('a');
  await succeed(1);

  expect(await again).toBe('claims of a');
  expect(apps(calls)).toBe(2);
});

test('a fetch that hangs ends after 5 s, and the next caller fetches anew', async () => {
  const { ask, succeed, calls } = verifier();

  const asked = ['a', 'b'].map(ask);
  await pass(4_999);
  expect(calls).toHaveLength(1);
  await pass(1);
  expect(await Promise.all(asked)).toEqual(['unavailable', 'unavailable']);
  const again = ask('a');
  await succeed(1);

  expect(await again).toBe('claims of a');
  expect(apps(calls)).toBe(2);
});

test('so does one that hangs when the keys are due again', async () => {
  const { ask, succeed, calls } = verifier();
  void ask('a');
  await succeed(0);

  const hung = ask('b');
  await pass(5_000);
  expect(await hung).toBe('unavailable');
  const again = ask('b');
  await succeed(2);

  expect(await again).toBe('claims of b');
  expect(apps(calls)).toBe(2);
});

test('a bad token says nothing of the keys: those who wait try in turn', async () => {
  const { ask, fail, succeed, calls } = verifier();

  const asked = ['bad', 'a', 'b'].map(ask);
  await fail(0, 'badToken');
  expect(calls).toHaveLength(2);
  await succeed(1);
  await succeed(2);

  expect(await Promise.all(asked)).toEqual(['bad', 'claims of a', 'claims of b']);
  expect(apps(calls)).toBe(1);
});

describe('an unknown key', () => {
  test('makes the token bad where the keys have verified another', async () => {
    const { ask, fail, succeed, calls } = verifier();
    void ask('a');
    await succeed(0);

    const forged = ask('forged');
    await fail(1, 'unknownKey');

    expect(await forged).toBe('bad');
    const next = ask('a');
    await succeed(2);
    expect(await next).toBe('claims of a');
    expect(apps(calls)).toBe(1);
  });

  test('makes the keys suspect where they have verified none: they are fetched again a second later', async () => {
    const { ask, fail, succeed, calls } = verifier();

    const first = ask('a');
    await fail(0, 'unknownKey');
    const soon = ask('a');
    await fail(1, 'unknownKey');
    expect([await first, await soon]).toEqual(['unavailable', 'unavailable']);
    expect(apps(calls)).toBe(1);
    await pass(1_000);
    const later = ask('a');
    await succeed(2);

    expect(await later).toBe('claims of a');
    expect(apps(calls)).toBe(2);
  });

  test('of the first caller fails nobody who waits with them', async () => {
    const { ask, fail, succeed, calls } = verifier();

    const asked = ['forged', 'a', 'b'].map(ask);
    await fail(0, 'unknownKey');
    expect(calls).toHaveLength(3);
    await succeed(1);
    await succeed(2);

    expect(await Promise.all(asked)).toEqual(['unavailable', 'claims of a', 'claims of b']);
  });

  test('of many callers has the keys fetched once a second at the most', async () => {
    const { ask, fail, calls } = verifier();

    for (let call = 0; call < 50; call += 1) {
      void ask('forged');
      await settled();
      await fail(call, 'unknownKey');
      await pass(100);
    }

    expect(calls).toHaveLength(50);
    expect(apps(calls)).toBeLessThanOrEqual(6);
  });
});

test('no failure rejects unhandled, whoever waits', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  for (const kind of ['badToken', 'unknownKey', 'keys'] as const) {
    const { ask, fail } = verifier();
    const asked = [ask(), ask()];
    await fail(0, kind);
    await fail(1, kind);
    await Promise.all(asked);
  }
  const { ask, fail } = verifier();
  const hung = ask();
  await pass(5_000);
  await hung;
  await fail(0, 'keys');
  jest.useRealTimers();
  await new Promise(setImmediate);
  process.off('unhandledRejection', unhandled);

  expect(unhandled).not.toHaveBeenCalled();
});
