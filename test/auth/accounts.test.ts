/** What Firebase Auth says about accounts: whether a sign-in is still valid, and about tokens of its emulator. */
import { requireValidSignIn } from '../../functions/src/auth/accounts.ts';
import {
  idTokenClaims,
  signedToken,
  signingKey,
  unsignedToken,
} from '../../dev/google/idTokens.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import { HOSTS, noKeyServer, simulate } from '../support/googleKeys.ts';
import {
  respondsWith,
  respondsWithText,
  startScriptedServer,
  type Reaction,
  type ScriptedServer,
} from '../support/scriptedServer.ts';

const PROJECT = 'demo-accounts';
const MISSING_ROLE =
  'Firebase Auth refused to look up an account. CHECK_REVOKED requires that the service account of this function has the role roles/firebaseauth.viewer.';
/** The SDK replaces a token that expires so soon before each call. */
const ACCESS_TOKEN = { access_token: 'a-token', expires_in: 1 };
const NOW = 1_780_000_000;

/** The metadata server, or the Auth emulator. */
let server: ScriptedServer;

functionsEnvironment(PROJECT);

beforeAll(async () => {
  server = await startScriptedServer();
  process.env.GCE_METADATA_HOST = server.address;
});

afterAll(() => server.stop());

afterEach(() => {
  noKeyServer();
  Reflect.deleteProperty(process.env, 'FIREBASE_AUTH_EMULATOR_HOST');
});

/** The name and the message or the code of an error; undefined for success. */
async function faultOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => {
      const { code, message, constructor } = error as Error & { readonly code?: string };
      return code ?? (message || constructor.name);
    },
  );
}

const accounts = (more: object) => respondsWith({ users: [{ localId: 'alice', ...more }] });
const failure = (code: number, message: string) =>
  respondsWith({ error: { code, message, status: 'A_STATUS' } }, code);

test.each<[string, Reaction, string | undefined]>([
  ['the account is as it was', accounts({}), undefined],
  ['no token was revoked since', accounts({ validSince: String(NOW) }), undefined],
  ['the account is disabled', accounts({ disabled: true }), 'BadTokenError'],
  ['its tokens were revoked', accounts({ validSince: String(NOW + 1) }), 'BadTokenError'],
  ['there is no account', respondsWith({}), 'BadTokenError'],
  ['the lookup fails', failure(500, 'INTERNAL'), 'unavailable'],
  ['the lookup is not authorized', failure(401, 'UNAUTHENTICATED'), 'unavailable'],
  ['too many lookups were made', failure(429, 'QUOTA_EXCEEDED'), 'unavailable'],
  ['the lookup returns a page', respondsWithText('<html></html>', 502), 'unavailable'],
  ['the lookup returns null', respondsWith(null), 'unavailable'],
  ['the lookup is not permitted', failure(403, 'PERMISSION_DENIED'), MISSING_ROLE],
  ['the API is not enabled', failure(403, 'Identity Toolkit API has not been used.'), MISSING_ROLE],
])('if %s, a sign-in is looked up once', async (_what, reaction, fault) => {
  server.play(respondsWith(ACCESS_TOKEN));
  const lookups = simulate(HOSTS.accounts, reaction);

  const signIn = { uid: 'alice', signedInAt: NOW * 1000 };
  expect(await faultOf(requireValidSignIn(signIn))).toBe(fault);
  expect(lookups.count).toBe(1);
  expect(server.seen[0]?.path).toMatch(/cloud-platform$/);
});

test('without an access token, a sign-in cannot be looked up', async () => {
  server.play(respondsWith({}, 500));

  const signIn = { uid: 'alice', signedInAt: NOW * 1000 };
  expect(await faultOf(requireValidSignIn(signIn))).toBe('unavailable');
});

const claims = idTokenClaims(PROJECT, 'alice');

test.each<[string, string, Reaction, string | undefined]>([
  ['accepts an unsigned token of an account', unsignedToken(claims), accounts({}), undefined],
  ['refuses one without an account', unsignedToken(claims), respondsWith({}), 'BadTokenError'],
  ['refuses a signed token', signedToken(signingKey('a'), claims), accounts({}), 'BadTokenError'],
  ['is away if it fails', unsignedToken(claims), respondsWithText('<html>', 500), 'unavailable'],
])('the emulator %s', async (_what, token, reaction, fault) => {
  process.env.FIREBASE_AUTH_EMULATOR_HOST = server.address;
  server.play(reaction);
  // An app of the SDK remembers the addresses that it has called.
  jest.resetModules();
  const { verifyEmulatorToken } = await import('../../functions/src/auth/accounts.ts');

  expect(await faultOf(verifyEmulatorToken(token))).toBe(fault);
});
