/** How access tokens are fetched, shared and replaced. */
import type * as Credentials from '../../functions/src/firestore/credentials.ts';

const mockGetAccessToken = jest.fn<Promise<{ token?: string | null }>, []>();
const mockGoogleAuth = jest.fn<unknown, [unknown]>();

jest.mock('google-auth-library', () => ({
  GoogleAuth: class {
    constructor(options: unknown) {
      mockGoogleAuth(options);
    }
    getClient() {
      return Promise.resolve({ getAccessToken: mockGetAccessToken, credentials: mockCredentials });
    }
  },
}));

const NOW = 1_000_000_000;
const HOUR = 3_600_000;

let mockCredentials: { expiry_date?: number };
let credentials: typeof Credentials;
let now: jest.SpyInstance;

beforeEach(async () => {
  jest.resetModules();
  credentials = await import('../../functions/src/firestore/credentials.ts');
  mockCredentials = { expiry_date: NOW + HOUR };
  mockGoogleAuth.mockReset();
  mockGetAccessToken.mockReset();
  for (const token of ['one', 'two']) mockGetAccessToken.mockResolvedValueOnce({ token });
  now = jest.spyOn(Date, 'now').mockReturnValue(NOW);
});

afterEach(() => {
  now.mockRestore();
});

const unavailable = {
  name: 'FirestoreError',
  status: 'UNAVAILABLE',
  message: 'UNAVAILABLE: No access token could be fetched.',
};

test('concurrent callers share one fetch, and later ones the token', async () => {
  const { accessToken } = credentials;

  expect(await Promise.all([accessToken(), accessToken()])).toEqual(['one', 'one']);
  expect(accessToken()).toBe('one');
  expect(mockGetAccessToken).toHaveBeenCalledTimes(1);
  expect(mockGoogleAuth.mock.calls).toEqual([
    [{ scopes: 'https://www.googleapis.com/auth/datastore' }],
  ]);
});

test.each([
  ['a minute before it expires', { expiry_date: NOW + HOUR }, HOUR - 60_000],
  ['after a minute if it does not say when it expires', {}, 60_000],
])('a token is replaced %s', async (_what, given, ms) => {
  const { accessToken } = credentials;
  mockCredentials = given;
  await accessToken();

  now.mockReturnValue(NOW + ms - 1);
  expect(accessToken()).toBe('one');
  now.mockReturnValue(NOW + ms);
  expect(await accessToken()).toBe('two');
  // The library has a cache of its own, which is asked first.
  expect(mockGoogleAuth).toHaveBeenCalledTimes(1);
});

test('a token that was rejected is replaced, without the cache of the library', async () => {
  const { accessToken, discardToken } = credentials;
  await accessToken();

  discardToken('one');

  expect(await accessToken()).toBe('two');
  expect(mockGoogleAuth).toHaveBeenCalledTimes(2);
});

test('a token that was replaced already is not discarded again', async () => {
  const { accessToken, discardToken } = credentials;
  await accessToken();

  discardToken('an older one');

  expect(accessToken()).toBe('one');
});

test.each([
  ['is refused', () => Promise.reject(new Error('No.'))],
  ['is empty', () => Promise.resolve({ token: '' })],
  ['is missing', () => Promise.resolve({ token: null })],
])('if a token %s, all waiting callers fail, and the next one fetches anew', async (_what, get) => {
  const { accessToken } = credentials;
  mockGetAccessToken
    .mockReset()
    .mockImplementationOnce(get)
    .mockResolvedValueOnce({ token: 'two' });

  const outcomes = await Promise.allSettled([accessToken(), accessToken()]);

  expect(outcomes).toMatchObject([{ reason: unavailable }, { reason: unavailable }]);
  expect(await accessToken()).toBe('two');
  expect(mockGoogleAuth).toHaveBeenCalledTimes(2);
});

test('a fetch that takes 5 s has failed', async () => {
  jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'setImmediate'] });
  mockGetAccessToken.mockReset().mockReturnValue(new Promise(() => undefined));

  const outcomes = Promise.allSettled([credentials.accessToken()]);
  await jest.advanceTimersByTimeAsync(4_999);
  expect(jest.getTimerCount()).toBe(1);
  await jest.advanceTimersByTimeAsync(1);
  jest.useRealTimers();

  expect(await outcomes).toMatchObject([{ reason: unavailable }]);
});
