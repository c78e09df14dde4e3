/** How access tokens are fetched, cached, shared and replaced. */
import {
  breaksOff,
  hangs,
  resets,
  respondsWith,
  respondsWithText,
  startScriptedServer,
  type Reaction,
  type ScriptedServer,
} from '../../../dev/testing/stubServer.ts';
import { createMetadataTokenSource } from './metadataTokens.ts';

const SCOPE = 'https://www.googleapis.com/auth/datastore';
/** Not the hour that Google usually gives. */
const SECONDS = 1_800;

const token = (text: string) => respondsWith({ access_token: text, expires_in: SECONDS });

let server: ScriptedServer;

beforeAll(async () => {
  server = await startScriptedServer();
  process.env.GCE_METADATA_HOST = server.address;
});

afterAll(() => server.stop());

test('asks the metadata server for a token that is valid for one scope only', async () => {
  server.play(token('one'));

  expect(await createMetadataTokenSource(SCOPE).get()).toBe('one');

  const [request] = server.seen;
  expect(request?.headers['metadata-flavor']).toBe('Google');
  const { pathname, searchParams } = new URL(request?.path ?? '', 'http://metadata');
  expect(pathname).toBe('/computeMetadata/v1/instance/service-accounts/default/token');
  expect(searchParams.get('scopes')).toBe(SCOPE);
});

test('concurrent callers share a fetch and later ones its token, until a minute before it expires', async () => {
  server.play(token('one'), token('two'));
  const now = jest.spyOn(performance, 'now').mockReturnValue(5_000);
  const tokens = createMetadataTokenSource(SCOPE);

  expect(await Promise.all([tokens.get(), tokens.get()])).toEqual(['one', 'one']);
  now.mockReturnValue(5_000 + SECONDS * 1000 - 60_001);
  expect(await tokens.get()).toBe('one');
  now.mockReturnValue(5_000 + SECONDS * 1000 - 60_000);
  expect(await tokens.get()).toBe('two');
});

test.each([
  ['one', 'is replaced', 'two'],
  ['an older one', 'stays, because it was replaced already', 'one'],
])('if Google has rejected %s, the token %s', async (rejected, _what, next) => {
  server.play(token('one'), token('two'));
  const tokens = createMetadataTokenSource(SCOPE);
  await tokens.get();

  tokens.discard(rejected);

  expect(await tokens.get()).toBe(next);
});

test.each<[string, Reaction]>([
  ['a reset connection', resets],
  ['a body that breaks off', breaksOff('{"access_token":"one","expires_in":3600}')],
  ['an error', respondsWith({ access_token: 'one', expires_in: SECONDS }, 503)],
  ['a page', respondsWithText('<html></html>')],
  ['null', respondsWith(null)],
  ['an empty token', respondsWith({ access_token: '', expires_in: SECONDS })],
  ['a token that never expires', respondsWith({ access_token: 'one' })],
])('rejects %s, and fetches again for the next caller', async (_what, reaction) => {
  server.play(reaction, token('two'));
  const tokens = createMetadataTokenSource(SCOPE);

  const [first, second] = [tokens.get(), tokens.get()];

  await expect(first).rejects.toThrow();
  await expect(second).rejects.toThrow();
  expect(await tokens.get()).toBe('two');
});

test.each<[string, Reaction]>([
  ['does not respond', hangs],
  ['stops within its response', (response) => response.writeHead(200).write('{')],
])('times out after 5 s if the metadata server %s', async (_what, reaction) => {
  const limit = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal);
  server.play((response, request) => {
    reaction(response, request);
    setImmediate(() => {
      limit.abort();
    });
  }, token('two'));
  const tokens = createMetadataTokenSource(SCOPE);

  await expect(tokens.get()).rejects.toThrow('aborted');
  expect(timeout).toHaveBeenCalledWith(5_000);
  expect(await tokens.get()).toBe('two');
});
