import { readFileSync } from 'node:fs';
import { logger } from 'firebase-functions/logger';
import { logCallers } from '../../packages/endpoints/src/declaration/parameters.ts';
import { createExampleRequest, storeFixture } from '../support/requests/exampleRequests.ts';
import { createUniqueId } from '../support/requests/uniqueId.ts';
import { useInProcessService } from '../support/processes/inProcessService.ts';
import type { ServiceRequest } from '../support/requests/openapi.ts';
import type { RawResponse } from '../support/requests/sendRawRequest.ts';

const service = useInProcessService();

type Entry = Readonly<Record<string, unknown>>;

/** Sends a request to a function, and returns its response and its log entry. */
async function sendAndReadLog(
  functionId: string,
  request: ServiceRequest,
): Promise<{ response: RawResponse; entry: Entry }> {
  const write = jest.spyOn(logger, 'write').mockReturnValue();
  const response = await service.send(functionId, request);
  expect(write).toHaveBeenCalledTimes(1);
  return { response, entry: write.mock.lastCall?.[0] ?? {} };
}

test('logs the request, its status, its latency and its usage of Firestore', async () => {
  const fixture = { uid: createUniqueId('alice'), prefix: createUniqueId('thing') };
  await storeFixture(service.store, fixture);
  const request = createExampleRequest(
    'flash-reorder',
    fixture,
    service.createIdToken(fixture.uid),
  );

  const { response, entry } = await sendAndReadLog('flash-reorder', request);

  expect(entry).toEqual({
    severity: 'INFO',
    message: 'PUT /flash/reorder 200',
    httpRequest: {
      requestMethod: 'PUT',
      requestUrl: '/flash/reorder',
      status: 200,
      latency: expect.stringMatching(/^\d+\.\d{6}s$/) as string,
    },
    function: 'unknown',
    requestId: response.headers['x-request-id'],
    status: 200,
    latencyMs: expect.any(Number) as number,
    firestoreReads: 3,
    firestoreWrites: 3,
  });
});

test.each([
  {
    name: 'a rejected request',
    path: '/flash/reorder',
    method: 'PUT',
    status: 401,
    endpoint: '/flash/reorder',
  },
  {
    name: 'a request to an unknown path',
    path: '/flash/unknown',
    method: 'PUT',
    status: 404,
    endpoint: undefined,
  },
  {
    name: 'a preflight to an unknown path',
    path: '/flash/unknown',
    method: 'OPTIONS',
    status: 204,
    endpoint: undefined,
  },
])('logs $name', async ({ path, method, status, endpoint }) => {
  const { response, entry } = await sendAndReadLog('flash-reorder', { path, method });

  expect(entry).toMatchObject({
    message: `${method} ${endpoint ?? '(no endpoint)'} ${status}`,
    requestId: response.headers['x-request-id'],
    ...(status >= 400 && { errorCode: response.headers['x-error-code'] }),
    firestoreReads: 0,
    firestoreWrites: 0,
  });
  expect(entry.httpRequest).toHaveProperty('requestMethod', method);
  expect((entry.httpRequest as Entry).requestUrl).toBe(endpoint);
});

test.each<{ name: string; logsCallers: boolean; caller?: string; document?: string }>([
  { name: 'nothing that the client has sent', logsCallers: false },
  {
    name: 'only hashes of the caller and the id if LOG_CALLERS is true',
    logsCallers: true,
    // printf %s alice | sha256sum | cut -c1-32
    caller: '2bd806c97f0e00af1a1fc3328fa763a9',
    document: '2d4e223a1833d38ff89ba7abbfbd41df',
  },
])('logs $name', async ({ logsCallers, caller, document }) => {
  jest.spyOn(logCallers, 'value').mockReturnValue(logsCallers);
  const headers = {
    Authorization: `Bearer ${service.createIdToken('alice')}`,
    'User-Agent': 'alice@example.com',
  };
  const path = '/gallery/remove-photos?photoIds=secret-id';

  const { entry } = await sendAndReadLog('gallery-removePhotos', {
    path,
    method: 'DELETE',
    headers,
  });

  expect([entry.status, entry.field]).toEqual([404, 'photoIds[0]']);
  expect([entry.caller, entry.document]).toEqual([caller, document]);
  expect(JSON.stringify(entry)).not.toMatch(/secret-id|alice|eyJ/);
});

test('docs/operating.md describes every field of the log', async () => {
  const { entry } = await sendAndReadLog('artists-list', { path: '/artists' });

  const rows = readFileSync('docs/operating.md', 'utf8').match(/^\|`.*/gm) ?? [];
  const missing = Object.keys(entry).filter((name) => !rows.join().includes(`\`${name}\``));
  // These are fields of Cloud Logging, and a field that only `npm start` logs.
  expect(missing).toEqual(['severity', 'message', 'httpRequest', 'rejection']);
});
