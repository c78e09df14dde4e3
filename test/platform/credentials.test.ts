/** How access tokens are cached, shared and replaced. */
import type { AccessToken } from '../../functions/src/platform/accessTokens.ts';
import type * as Credentials from '../../functions/src/platform/credentials.ts';

const mockFetch = jest.fn<Promise<AccessToken>, [string]>();

jest.mock('../../functions/src/platform/accessTokens.ts', () => ({
  fetchAccessToken: (scope: string) => mockFetch(scope),
}));

const NOW = 1_000_000_000;
const SECONDS = 3_600;

let accessToken: typeof Credentials.accessToken;
let discardToken: typeof Credentials.discardToken;
let now: jest.SpyInstance;

beforeEach(async () => {
  mockFetch.mockReset();
  for (const access_token of ['one', 'two']) {
    mockFetch.mockResolvedValueOnce({ access_token, expires_in: SECONDS });
  }
  now = jest.spyOn(performance, 'now').mockReturnValue(NOW);
  jest.resetModules();
  ({ accessToken, discardToken } = await import('../../functions/src/platform/credentials.ts'));
});

test('concurrent callers share a fetch and later ones its token, until a minute before it expires', async () => {
  expect(await Promise.all([accessToken(), accessToken()])).toEqual(['one', 'one']);
  expect(mockFetch.mock.calls).toEqual([['https://www.googleapis.com/auth/datastore']]);

  now.mockReturnValue(NOW + SECONDS * 1000 - 60_001);
  expect(accessToken()).toBe('one');
  now.mockReturnValue(NOW + SECONDS * 1000 - 60_000);
  expect(await accessToken()).toBe('two');
});

test.each([
  ['one', 'is replaced', 'two'],
  ['an older one', 'stays, because it was replaced already', 'one'],
])('if Firestore has rejected %s, the token %s', async (rejected, _what, next) => {
  await accessToken();

  discardToken(rejected);

  expect(await accessToken()).toBe(next);
});
