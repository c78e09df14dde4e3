/** How Firestore is called in production: at Google's address, with access tokens. */
import type { Connection, RawResponse } from '../../functions/src/firestore/connection.ts';
import type * as Documents from '../../functions/src/firestore/documents.ts';
import type * as RequestContext from '../../functions/src/platform/requestContext.ts';

const mockConnection = jest.fn<Connection, [host: string, secure: boolean]>();
const mockAccessToken = jest.fn<Promise<string>, []>();
const mockDiscardToken = jest.fn<undefined, [string]>();

jest.mock('../../functions/src/firestore/connection.ts', () => ({ connection: mockConnection }));
jest.mock('../../functions/src/platform/credentials.ts', () => ({
  accessToken: mockAccessToken,
  discardToken: mockDiscardToken,
}));

const send = jest.fn<Promise<RawResponse>, Parameters<Connection>>();
const environment = { ...process.env };

beforeEach(() => {
  jest.resetModules();
  for (const name of ['FIRESTORE_EMULATOR_HOST', 'GCLOUD_PROJECT', 'GOOGLE_CLOUD_PROJECT']) {
    Reflect.deleteProperty(process.env, name);
  }
  Object.assign(process.env, { FIREBASE_CONFIG: '{"projectId":"demo a"}', DATABASE_ID: 'second' });
  mockConnection.mockReset().mockReturnValue(send);
  mockDiscardToken.mockReset();
  mockAccessToken.mockReset().mockResolvedValueOnce('one').mockResolvedValueOnce('two');
  send.mockReset().mockResolvedValue({ status: 200, text: '[{"readTime":"now"}]' });
});

afterAll(() => {
  process.env = environment;
});

/** Reads a list, with the project and the database that the environment names now. */
async function find(limitMs = 30_000): Promise<readonly unknown[]> {
  const documents: typeof Documents = await import('../../functions/src/firestore/documents.ts');
  const platform: typeof RequestContext =
    await import('../../functions/src/platform/requestContext.ts');
  return new platform.RequestContext().run(limitMs, () =>
    documents.find({ collection: 'things', where: {}, select: [] }, 1),
  );
}

test('calls Google over TLS, with a token and the headers for routing', async () => {
  expect(await find()).toEqual([]);

  expect(mockConnection.mock.calls).toEqual([['firestore.googleapis.com', true]]);
  expect(send.mock.calls.map(([path, headers]) => [path, headers])).toEqual([
    [
      '/v1/projects/demo a/databases/second/documents:runQuery?prettyPrint=false',
      [
        ...['x-goog-request-params', 'project_id=demo%20a&database_id=second'],
        ...['Authorization', 'Bearer one'],
      ],
    ],
  ]);
});

test.each([
  ['GCLOUD_PROJECT', { GCLOUD_PROJECT: 'demo-1', GOOGLE_CLOUD_PROJECT: 'demo-2' }, 'demo-1'],
  ['GOOGLE_CLOUD_PROJECT', { GOOGLE_CLOUD_PROJECT: 'demo-2' }, 'demo-2'],
])('prefers the project of %s', async (_what, variables, projectId) => {
  Object.assign(process.env, variables);

  await find();

  expect(send.mock.calls[0]?.[0]).toContain(`/v1/projects/${projectId}/databases/`);
});

test.each(['{}', undefined])('fails if the environment names no project: %s', async (config) => {
  if (config === undefined) Reflect.deleteProperty(process.env, 'FIREBASE_CONFIG');
  else process.env.FIREBASE_CONFIG = config;

  await expect(find()).rejects.toThrow('The environment does not name a project.');
});

test('replaces a token that Firestore rejects, once', async () => {
  send.mockResolvedValueOnce({ status: 401, text: '{"error":{"status":"UNAUTHENTICATED"}}' });

  expect(await find()).toEqual([]);

  expect(mockDiscardToken.mock.calls).toEqual([['one']]);
  expect(send.mock.calls.map(([, headers]) => headers.slice(-2))).toEqual([
    ['Authorization', 'Bearer one'],
    ['Authorization', 'Bearer two'],
  ]);
});

test.each([
  ['with a reason', '{"error":{"status":"UNAUTHENTICATED"}}'],
  ['without one', '<html>'],
])('fails if Firestore rejects the next token too, %s', async (_what, text) => {
  send.mockResolvedValue({ status: 401, text });

  await expect(find()).rejects.toMatchObject({ status: 'UNAUTHENTICATED' });
  expect(send).toHaveBeenCalledTimes(2);
});

test.each([
  ['lacks a result', 200, '{}', 'UNAVAILABLE: The response lacks a result.'],
  ['is no JSON', 200, '<html>', 'UNAVAILABLE: The response lacks a result.'],
  ['is an error', 503, '{"error":{"message":"Why."}}', 'UNAVAILABLE: Why.'],
])('tells the log what was wrong if the last response %s', async (_what, status, text, message) => {
  send.mockResolvedValue({ status, text });
  // The deadline passes while the client waits before its next attempt.
  const random = jest.spyOn(Math, 'random').mockReturnValue(1);

  await expect(find(50)).rejects.toMatchObject({
    code: 'unavailable',
    cause: { message },
  });
  random.mockRestore();
});
