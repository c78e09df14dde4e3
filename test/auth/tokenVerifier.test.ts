/**
 * Signatures are verified for real, with key pairs made here; only the fetch of Google's public keys is stubbed. The same
 * holds for both kinds of tokens.
 */
import { getApps } from 'firebase-admin/app';
import { logger } from 'firebase-functions/logger';
import type { Request } from 'firebase-functions/https';
import { requireApp } from '../../functions/src/auth/appCheck.ts';
import { authenticate } from '../../functions/src/auth/authentication.ts';
import {
  appCheckClaims,
  idTokenClaims,
  signedToken,
  signingKey,
} from '../../dev/google/idTokens.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import {
  HOSTS,
  keysExpireBetweenTests,
  noKeyServer,
  publishAppCheckKeys,
  publishKeys,
  simulate,
} from '../support/googleKeys.ts';
import { forgedTokens, malformedTokens } from '../support/invalidTokens.ts';
import {
  breaksOff,
  resets,
  respondsWith,
  respondsWithText,
  type Reaction,
} from '../support/scriptedServer.ts';

const PROJECT = 'demo-signed';
const key = signingKey('key-1');
const document = { [key.id]: key.publicKey.export({ type: 'spki', format: 'pem' }) };
const clock = keysExpireBetweenTests();

functionsEnvironment(PROJECT, { APP_CHECK: 'enforce' });

beforeEach(() => {
  jest.spyOn(logger, 'error').mockImplementation();
});

afterEach(() => {
  noKeyServer();
});

const requestWith = (headers: object) => ({ headers }) as unknown as Request;
let tokens = 0;

describe.each([
  {
    kind: 'ID tokens',
    claims: idTokenClaims(PROJECT, 'alice'),
    others: [{ iss: `https://securetoken.google.com/${PROJECT}-2` }],
    host: HOSTS.idTokenKeys,
    publish: publishKeys,
    noKeys: [{}, { error: 'backend_error' }, [], { a: 1, b: '-----BEGIN CERTIFICATE-----' }],
    refused: 'unauthenticated',
    use: async (token: string) =>
      authenticate(requestWith({ authorization: `Bearer ${token}` }), { checkRevoked: false }),
  },
  {
    kind: 'App Check tokens',
    claims: appCheckClaims(PROJECT),
    others: [{ aud: undefined }],
    host: HOSTS.appCheckKeys,
    publish: publishAppCheckKeys,
    noKeys: [{}, { keys: [] }, { keys: [null, 1, {}, { kty: 'RSA', n: '' }] }],
    refused: 'app-check',
    use: async (token: string) => requireApp(requestWith({ 'x-firebase-appcheck': token })),
  },
])('$kind', ({ kind, claims, others, host, publish, noKeys, refused, use }) => {
  /** The code of the refusal of a token, if it is not accepted. */
  async function outcomeOf(token = validToken()): Promise<string> {
    return use(token).then(
      () => 'accepted',
      (error: unknown) => (error as { code: string }).code,
    );
  }

  /** A token that differs from all others: verified tokens are cached. */
  function validToken(): string {
    tokens += 1;
    return signedToken(key, { ...claims, jti: `token-${tokens}` });
  }

  test.each([
    ...malformedTokens(key, claims),
    ...others.map((more): [string, string] => [
      `with ${JSON.stringify(more)}`,
      signedToken(key, { ...claims, ...more }),
    ]),
  ])('are refused %s without asking for keys', async (_what, token) => {
    const fetches = publish(key);

    expect(await outcomeOf(token)).toBe(refused);
    expect(fetches.count).toBe(0);
    expect(logger.error).not.toHaveBeenCalled();
  });

  test.each([
    ...forgedTokens(key, signingKey('key-2'), claims),
    ['without a subject', signedToken(key, { ...claims, sub: '' })],
  ])('are refused %s, also if it is the first, and the keys stay', async (_what, token = '') => {
    const fetches = publish(key);

    const outcomes = [await outcomeOf(token), await outcomeOf(), await outcomeOf(token)];

    expect(outcomes).toEqual([refused, 'accepted', refused]);
    expect(fetches.count).toBe(1);
    expect(logger.error).not.toHaveBeenCalled();
  });

  test.each<[string, Reaction]>([
    ['resets the connection', resets],
    ['breaks off', breaksOff('{"key-1":')],
    ['responds with 500', respondsWith({}, 500)],
    ['responds with keys, but with 404', respondsWith(document, 404)],
    ['returns null', respondsWith(null)],
    ['returns a page of HTML', respondsWithText('<html></html>')],
    ['returns an empty body', respondsWithText('')],
    ...noKeys.map((value): [string, Reaction] => [
      `returns ${JSON.stringify(value)}`,
      respondsWith(value),
    ]),
  ])(
    'cannot be verified while the key server %s, and then are accepted',
    async (_what, reaction) => {
      simulate(host, reaction);
      expect(await outcomeOf()).toBe('unavailable');
      expect(jest.mocked(logger.error).mock.calls).toEqual([
        [
          `The public keys of ${kind} could not be fetched.`,
          { reason: expect.anything() as string },
        ],
      ]);

      publish(key);
      clock.aheadMs += 1_000;
      expect(await outcomeOf()).toBe('accepted');
    },
  );

  test('are verified with the keys of a second try at once if a fetch fails', async () => {
    simulate(host, (response, request) => {
      publish(key);
      resets(response, request);
    });

    expect(await outcomeOf()).toBe('accepted');
  });
});

test.each([
  ['for as long as the key server allows', 'public, max-age=19442, must-revalidate', 19_442],
  ['for a minute if it allows less', 'no-cache, max-age=0', 60],
  ['for 6 h if it does not say', 'public', 6 * 3_600],
])('keys are used %s', async (_what, cacheControl, seconds) => {
  const fetches = publishKeys(key, cacheControl);
  const verify = async (uid: string) => {
    const authorization = `Bearer ${signedToken(key, idTokenClaims(PROJECT, uid))}`;
    await authenticate(requestWith({ authorization }), { checkRevoked: false });
  };

  await verify(`alice-${seconds}`);
  clock.aheadMs += (seconds - 10) * 1_000;
  await verify(`bob-${seconds}`);
  expect(fetches.count).toBe(1);
  clock.aheadMs += 10_000;
  await verify(`carol-${seconds}`);

  expect(fetches.count).toBe(2);
  // Apps with earlier keys are deleted: there is one for each kind of token.
  expect(getApps().length).toBeLessThanOrEqual(2);
});
