/** Which tokens are accepted in the emulator, where they are not signed. Its tests of endpoints use the real one. */
import type { Request } from 'firebase-functions/https';
import { authenticate } from '../../functions/src/auth/authentication.ts';
import {
  idTokenClaims,
  signedToken,
  signingKey,
  unsignedToken,
} from '../emulator/google/idTokens.ts';
import { functionsEnvironment } from '../support/functionsEnvironment.ts';
import {
  respondsWith,
  respondsWithText,
  startScriptedServer,
  type ScriptedServer,
} from '../support/scriptedServer.ts';

const PROJECT = 'demo-emulated';
const claims = idTokenClaims(PROJECT, 'alice');
const account = respondsWith({ users: [{ localId: 'alice' }] });

let emulator: ScriptedServer;

functionsEnvironment(PROJECT, { FUNCTIONS_EMULATOR: 'true' });

beforeAll(async () => {
  emulator = await startScriptedServer();
  process.env.FIREBASE_AUTH_EMULATOR_HOST = emulator.address;
});

afterAll(async () => {
  Reflect.deleteProperty(process.env, 'FIREBASE_AUTH_EMULATOR_HOST');
  await emulator.stop();
});

test.each([
  ['accepts an unsigned token of an account', unsignedToken(claims), account, 'alice'],
  ['refuses one without an account', unsignedToken(claims), respondsWith({}), 'unauthenticated'],
  ['refuses a signed token', signedToken(signingKey('a'), claims), account, 'unauthenticated'],
  ['refuses a malformed token', 'a.b.c', account, 'unauthenticated'],
  [
    'is unavailable if it fails',
    unsignedToken(claims),
    respondsWithText('<html>', 500),
    'unavailable',
  ],
])('the emulator %s', async (_what, token, reaction, expected) => {
  emulator.play(reaction);
  const headers = { authorization: `Bearer ${token}` };

  const result = await authenticate({ headers } as unknown as Request, {
    checkRevoked: false,
  }).then(
    ({ uid }) => uid,
    (error: unknown) => (error as { code: string }).code,
  );

  expect(result).toBe(expected);
});
