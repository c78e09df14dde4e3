/** Tests that access tokens are fetched, cached, shared and replaced. */
import {
  truncateBody,
  neverRespond,
  resetConnection,
  respondJson,
  respondText,
  startStubServer,
  type Responder,
  type StubServer,
} from '../../../../test/support/google/stubServer.ts';
import { createMetadataTokenSource, prefetchAccessTokens } from './metadataTokens.ts';

const SCOPE = 'https://www.googleapis.com/auth/datastore';
/** The lifetime of the tokens here. Google's usually live for an hour. */
const LIFETIME_SECONDS = 1_800;

const respondToken = (token: string) =>
  respondJson({ access_token: token, expires_in: LIFETIME_SECONDS });

let server: StubServer;

beforeAll(async () => {
  server = await startStubServer();
  process.env.GCE_METADATA_HOST = server.address;
});

afterAll(() => server.stop());

test('requests a token for one scope from the metadata server', async () => {
  server.setResponses(respondToken('one'));

  expect(await createMetadataTokenSource(SCOPE).get()).toBe('one');

  const [request] = server.requests;
  expect(request?.headers['metadata-flavor']).toBe('Google');
  const { pathname, searchParams } = new URL(request?.path ?? '', 'http://metadata');
  expect(pathname).toBe('/computeMetadata/v1/instance/service-accounts/default/token');
  expect(searchParams.get('scopes')).toBe(SCOPE);
});

test('concurrent callers share a fetch, and later callers use its token until a minute before it expires', async () => {
  server.setResponses(respondToken('one'), respondToken('two'));
  const now = jest.spyOn(performance, 'now').mockReturnValue(5_000);
  const tokens = createMetadataTokenSource(SCOPE);

  expect(await Promise.all([tokens.get(), tokens.get()])).toEqual(['one', 'one']);
  now.mockReturnValue(5_000 + LIFETIME_SECONDS * 1000 - 60_001);
  expect(await tokens.get()).toBe('one');
  now.mockReturnValue(5_000 + LIFETIME_SECONDS * 1000 - 60_000);
  expect(await tokens.get()).toBe('two');
});

test.each([
  { name: 'replaces a rejected token', rejected: 'one', next: 'two' },
  {
    name: 'keeps the token if an earlier one was rejected',
    rejected: 'an earlier one',
    next: 'one',
  },
])('$name', async ({ rejected, next }) => {
  server.setResponses(respondToken('one'), respondToken('two'));
  const tokens = createMetadataTokenSource(SCOPE);
  await tokens.get();

  tokens.discard(rejected);

  expect(await tokens.get()).toBe(next);
});

test.each<{ name: string; respond: Responder }>([
  { name: 'a reset connection', respond: resetConnection },
  {
    name: 'a truncated body',
    respond: truncateBody('{"access_token":"one","expires_in":3600}'),
  },
  {
    name: 'an error status',
    respond: respondJson({ access_token: 'one', expires_in: LIFETIME_SECONDS }, 503),
  },
  { name: 'HTML', respond: respondText('<html></html>') },
  { name: 'null', respond: respondJson(null) },
  {
    name: 'an empty token',
    respond: respondJson({ access_token: '', expires_in: LIFETIME_SECONDS }),
  },
  { name: 'a token without a lifetime', respond: respondJson({ access_token: 'one' }) },
])('rejects after $name, and fetches again for the next caller', async ({ respond }) => {
  server.setResponses(respond, respondToken('two'));
  const tokens = createMetadataTokenSource(SCOPE);

  const [first, second] = [tokens.get(), tokens.get()];

  await expect(first).rejects.toThrow();
  await expect(second).rejects.toThrow();
  expect(await tokens.get()).toBe('two');
});

test.each<{ name: string; respond: Responder }>([
  { name: 'does not respond', respond: neverRespond },
  { name: 'stops within its response', respond: (response) => response.writeHead(200).write('{') },
])('times out after 5 s if the metadata server $name', async ({ respond }) => {
  const controller = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(controller.signal);
  server.setResponses((response, request) => {
    respond(response, request);
    setImmediate(() => {
      controller.abort();
    });
  }, respondToken('two'));
  const tokens = createMetadataTokenSource(SCOPE);

  await expect(tokens.get()).rejects.toThrow('aborted');
  expect(timeout).toHaveBeenCalledWith(5_000);
  expect(await tokens.get()).toBe('two');
});

test('prefetches only tokens of sources with prefetch, and fetches them again after a failure', async () => {
  server.setResponses(respondText('', 503), respondToken('two'));
  createMetadataTokenSource(SCOPE);
  const tokens = createMetadataTokenSource(SCOPE, { prefetch: true });

  prefetchAccessTokens();

  await expect(tokens.get()).rejects.toThrow('The metadata server responded with 503.');
  expect(await tokens.get()).toBe('two');
  expect(server.requests).toHaveLength(2);
});
