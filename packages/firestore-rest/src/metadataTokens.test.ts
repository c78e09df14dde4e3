/** How access tokens are fetched, cached, shared and replaced. */
import {
  truncateBody,
  neverRespond,
  resetConnection,
  respondJson,
  respondText,
  startStubServer,
  type Responder,
  type StubServer,
} from '../../../dev/testing/stubServer.ts';
import { createMetadataTokenSource } from './metadataTokens.ts';

const SCOPE = 'https://www.googleapis.com/auth/datastore';
/** Not the hour that Google usually gives. */
const SECONDS = 1_800;

const token = (text: string) => respondJson({ access_token: text, expires_in: SECONDS });

let server: StubServer;

beforeAll(async () => {
  server = await startStubServer();
  process.env.GCE_METADATA_HOST = server.address;
});

afterAll(() => server.stop());

test('asks the metadata server for a token that is valid for one scope only', async () => {
  server.setResponses(token('one'));

  expect(await createMetadataTokenSource(SCOPE).get()).toBe('one');

  const [request] = server.requests;
  expect(request?.headers['metadata-flavor']).toBe('Google');
  const { pathname, searchParams } = new URL(request?.path ?? '', 'http://metadata');
  expect(pathname).toBe('/computeMetadata/v1/instance/service-accounts/default/token');
  expect(searchParams.get('scopes')).toBe(SCOPE);
});

test('concurrent callers share a fetch and later ones its token, until a minute before it expires', async () => {
  server.setResponses(token('one'), token('two'));
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
  server.setResponses(token('one'), token('two'));
  const tokens = createMetadataTokenSource(SCOPE);
  await tokens.get();

  tokens.discard(rejected);

  expect(await tokens.get()).toBe(next);
});

test.each<[string, Responder]>([
  ['a reset connection', resetConnection],
  ['a body that breaks off', truncateBody('{"access_token":"one","expires_in":3600}')],
  ['an error', respondJson({ access_token: 'one', expires_in: SECONDS }, 503)],
  ['a page', respondText('<html></html>')],
  ['null', respondJson(null)],
  ['an empty token', respondJson({ access_token: '', expires_in: SECONDS })],
  ['a token that never expires', respondJson({ access_token: 'one' })],
])('rejects %s, and fetches again for the next caller', async (_what, reaction) => {
  server.setResponses(reaction, token('two'));
  const tokens = createMetadataTokenSource(SCOPE);

  const [first, second] = [tokens.get(), tokens.get()];

  await expect(first).rejects.toThrow();
  await expect(second).rejects.toThrow();
  expect(await tokens.get()).toBe('two');
});

test.each<[string, Responder]>([
  ['does not respond', neverRespond],
  ['stops within its response', (response) => response.writeHead(200).write('{')],
])('times out after 5 s if the metadata server %s', async (_what, reaction) => {
  const limit = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal);
  server.setResponses((response, request) => {
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
