/** How access tokens are cached, shared and replaced. */
import type { AccessToken } from '../../functions/src/accessTokens.ts';
import type * as Credentials from '../../functions/src/firestore/credentials.ts';

const mockFetch = jest.fn<Promise<AccessToken>, [string]>();

jest.mock('../../functions/src/accessTokens.ts', () => ({
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

/** Loads the module anew, in a process with these variables. */
async function load(variables: Readonly<Record<string, string>> = {}): Promise<void> {
  jest.resetModules();
  Object.assign(process.env, variables);
  credentials = await import('../../functions/src/firestore/credentials.ts');
  for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name);
}

test('concurrent callers share one fetch, and later ones the token', async () => {
  await load();
  const { accessToken } = credentials;

  expect(await Promise.all([accessToken(), accessToken()])).toEqual(['one', 'one']);
  expect(accessToken()).toBe('one');
  expect(mockFetch.mock.calls).toEqual([['https://www.googleapis.com/auth/datastore']]);
});

test.each([
  ['on the platform', { K_SERVICE: 'artists-list' }, 1],
  ['in the emulator', { K_SERVICE: 'artists-list', FUNCTIONS_EMULATOR: 'true' }, 0],
  ['elsewhere', {}, 0],
])(
  'the number of tokens fetched before the first request %s',
  async (_what, variables, fetched) => {
    await load(variables);

    expect(mockFetch).toHaveBeenCalledTimes(fetched);
  },
);

test('a failure before the first request is not an unhandled rejection, and the next fetch may succeed', async () => {
  mockFetch.mockReset().mockRejectedValueOnce(new Error('No.'));
  mockFetch.mockResolvedValueOnce({ access_token: 'two', expires_in: SECONDS });
  await load({ K_SERVICE: 'artists-list' });
  await new Promise(setImmediate);

  expect(await credentials.accessToken()).toBe('two');
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

  const reason = {
    name: 'FirestoreError',
    status: 'UNAVAILABLE',
    message: 'UNAVAILABLE: No access token could be fetched.',
  };
  expect(outcomes).toMatchObject([{ reason }, { reason }]);
  expect(await accessToken()).toBe('two');
});
