/** Which responses of the metadata server are access tokens. */
import { fetchAccessToken } from '../../functions/src/platform/accessTokens.ts';
import {
  respondsWith,
  respondsWithText,
  breaksOff,
  resets,
  startScriptedServer,
  type Reaction,
  type ScriptedServer,
} from '../support/scriptedServer.ts';

const TOKEN = { access_token: 'a-token', expires_in: 3599, token_type: 'Bearer' };
const SCOPE = 'https://www.googleapis.com/auth/datastore';

let server: ScriptedServer;

beforeAll(async () => {
  server = await startScriptedServer();
  process.env.GCE_METADATA_HOST = server.address;
});

afterAll(() => server.stop());

test('asks the metadata server for a token that is good for one scope only', async () => {
  server.play(respondsWith(TOKEN));

  await expect(fetchAccessToken(SCOPE)).resolves.toEqual(TOKEN);

  const [request] = server.seen;
  expect(request?.headers['metadata-flavor']).toBe('Google');
  const { pathname, searchParams } = new URL(request?.path ?? '', 'http://metadata');
  expect(pathname).toBe('/computeMetadata/v1/instance/service-accounts/default/token');
  expect(searchParams.get('scopes')).toBe(SCOPE);
});

test.each<[string, Reaction]>([
  ['a reset connection', resets],
  ['a body that breaks off', breaksOff(JSON.stringify(TOKEN))],
  ['an error', respondsWith(TOKEN, 503)],
  ['a redirect', respondsWith(TOKEN, 302)],
  ['a page', respondsWithText('<html></html>')],
  ['null', respondsWith(null)],
  ['an empty object', respondsWith({})],
  ['an empty token', respondsWith({ ...TOKEN, access_token: '' })],
  ['a token that never expires', respondsWith({ access_token: 'a-token' })],
])('takes no token from %s', async (_what, reaction) => {
  server.play(reaction);

  await expect(fetchAccessToken(SCOPE)).rejects.toThrow();
});
