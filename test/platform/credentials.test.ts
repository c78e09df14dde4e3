/** How access tokens are cached, shared and replaced. */
import type { AccessToken } from '../../functions/src/platform/accessTokens.ts';
import type * as Credentials from '../../functions/src/platform/credentials.ts';

const mockFetch = jest.fn<Promise<AccessToken>, [string]>();

jest.mock('../../functions/src/platform/accessTokens.ts', () => ({
  fetchAccessToken: (scope: string) => mockFetch(scope),
}));

const NOW = 1_000_000_000;
const SECONDS = 3_600;

let credentials: typeof Credentials;
let now: jest.SpyInstance;

beforeEach(() => {
  mockFetch.mockReset();
  for (const access_token of ['one', 'two']) {
    mockFetch.mockResolvedValueOnce({ access_token, expires_in: SECONDS });
  }
  now = jest.spyOn(performance, 'now').mockReturnValue(NOW);
});

afterEach(() => {
  now.mockRestore();
});

/** Loads the module anew. */
async function load(): Promise<void> {
  jest.resetModules();
  credentials = await import('../../functions/src/platform/credentials.ts');
}

test('concurrent callers share one fetch, and later ones the token', async () => {
  await load();
  const { accessToken } = credentials;

  expect(await Promise.all([accessToken(), accessToken()])).toEqual(['one', 'one']);
  expect(accessToken()).toBe('one');
  expect(mockFetch.mock.calls).toEqual([['https://www.googleapis.com/auth/datastore']]);
});

test('a token is replaced a minute before it expires', async () => {
  await load();
  const { accessToken } = credentials;
  await accessToken();

  now.mockReturnValue(NOW + SECONDS * 1000 - 60_001);
  expect(accessToken()).toBe('one');
  now.mockReturnValue(NOW + SECONDS * 1000 - 60_000);
  expect(await accessToken()).toBe('two');
});

test.each([
  ['one', 'is replaced', 'two'],
  ['an older one', 'stays, because it was replaced already', 'one'],
])('if Firestore has rejected %s, the token %s', async (rejected, _what, next) => {
  await load();
  const { accessToken, discardToken } = credentials;
  await accessToken();

  discardToken(rejected);

  expect(await accessToken()).toBe(next);
});

test('if a fetch fails, all waiting callers fail, and the next one fetches again', async () => {
  mockFetch.mockReset().mockRejectedValueOnce(new Error('No.'));
  mockFetch.mockResolvedValueOnce({ access_token: 'two', expires_in: SECONDS });
  await load();
  const { accessToken } = credentials;

  const outcomes = await Promise.allSettled([accessToken(), accessToken()]);

  const reason = new Error('No.');
  expect(outcomes).toMatchObject([{ reason }, { reason }]);
  expect(await accessToken()).toBe('two');
});
