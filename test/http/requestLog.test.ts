import { RequestContext } from '../../functions/src/platform/requestContext.ts';
import { deployedEndpoints } from '../support/deployMap.ts';
import { exampleRequest, storeExampleWorld } from '../support/exampleRequests.ts';
import { freshId } from '../support/firestore.ts';
import { inProcessService } from '../support/inProcessService.ts';
import type { RawResponse } from '../support/rawRequest.ts';

const service = inProcessService();

type Entry = Readonly<Record<string, unknown>>;

/** Sends a request, and returns its response and its log entry. */
async function logged(
  send: () => Promise<RawResponse>,
): Promise<{ response: RawResponse; entry: Entry }> {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    const response = await send();
    expect(write.mock.calls).toEqual([[expect.stringMatching(/^\{.*\}\n$/)]]);
    return { response, entry: JSON.parse(String(write.mock.calls[0]?.[0])) as Entry };
  } finally {
    write.mockRestore();
  }
}

test.each(deployedEndpoints.map(({ functionId, endpoint }) => [functionId, endpoint] as const))(
  '%s logs one line, with the reads and writes that Firestore bills',
  async (functionId, { declaration: { method, path } }) => {
    const uid = freshId('alice');
    const world = { uid, prefix: freshId('thing') };
    await storeExampleWorld(service.store, world);
    const { path: sent, ...options } = exampleRequest(functionId, world, service.tokenOf(uid));
    const before = await service.store.usage();

    const { response, entry } = await logged(() => service.send(functionId, sent, options));

    const after = await service.store.usage();
    expect(response.status).toBe(200);
    expect(entry).toEqual({
      severity: 'INFO',
      message: `${method} ${path} 200`,
      httpRequest: {
        requestMethod: method,
        requestUrl: path,
        status: 200,
        latency: expect.stringMatching(/^\d+\.\d{6}s$/) as string,
      },
      function: 'unknown',
      requestId: response.headers['x-request-id'],
      status: 200,
      latencyMs: expect.any(Number) as number,
      firestoreReads: after.reads - before.reads,
      firestoreWrites: after.writes + after.deletes - before.writes - before.deletes,
    });
  },
);

describe('a line', () => {
  afterEach(() => {
    delete process.env.K_SERVICE;
    delete process.env.FUNCTION_TARGET;
  });

  test.each([
    [
      200,
      'INFO',
      { K_SERVICE: 'flash-reorder', FUNCTION_TARGET: 'flash.reorder' },
      'flash-reorder',
    ],
    [404, 'INFO', { FUNCTION_TARGET: 'flash.reorder' }, 'flash.reorder'],
    [429, 'WARNING', {}, 'unknown'],
    [500, 'ERROR', {}, 'unknown'],
  ])('with %i has the severity %s; with %j it names %s', async (...row) => {
    const [status, severity, variables, name] = row;
    Object.assign(process.env, variables);
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    jest.resetModules();
    const { logRequest } = await import('../../functions/src/http/requestLog.ts');

    const request = { requestId: 'one', method: 'GET', path: '/flash', status };
    logRequest(request, 1.23456, new RequestContext(), {});

    expect(JSON.parse(String(write.mock.calls[0]?.[0]))).toMatchObject({
      severity,
      function: name,
      latencyMs: 1.235,
      httpRequest: { latency: '0.001235s' },
    });
  });
});

test('logs a hash of the caller if LOG_CALLERS is true', async () => {
  process.env.LOG_CALLERS = 'true';
  const token = service.tokenOf('alice');
  const { response, entry } = await logged(() =>
    service.send('flash-reorder', '/flash/reorder', {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}` },
    }),
  );
  delete process.env.LOG_CALLERS;

  expect(response.status).toBe(400);
  // printf %s alice | sha256sum | cut -c1-32
  expect(entry.caller).toBe('2bd806c97f0e00af1a1fc3328fa763a9');
});

test.each<[string, number, Parameters<typeof service.send>[2]]>([
  ['/flash/reorder', 401, { method: 'PUT' }],
  ['/flash/reorder', 405, { method: 'POST' }],
  ['/flash/reorder', 204, { method: 'OPTIONS' }],
  ['/flash/elsewhere', 404, { method: 'PUT' }],
])('logs a line for %s with %d', async (path, status, options) => {
  const { response, entry } = await logged(() => service.send('flash-reorder', path, options));

  expect(response.status).toBe(status);
  expect(entry).toMatchObject({
    message: `${options?.method ?? ''} /flash/reorder ${status}`,
    requestId: response.headers['x-request-id'],
    firestoreReads: 0,
    firestoreWrites: 0,
  });
});

test('logs nothing that the client has sent', async () => {
  const token = service.tokenOf('alice');
  const { entry } = await logged(() =>
    service.send('gallery-removePhotos', '/gallery/remove-photos?photoIds=secret-id', {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${token}`, 'User-Agent': 'alice@example.com' },
    }),
  );

  expect(JSON.stringify(entry)).not.toMatch(/secret-id|alice|eyJ/);
});

const TRACE = '105445aa7843bc8bf206b12000100000';

test.each([
  ['X-Cloud-Trace-Context', `${TRACE}/1;o=1`, TRACE],
  ['traceparent', `00-${TRACE}-09158d8185d3c3af-01`, TRACE],
  ['X-Cloud-Trace-Context', 'secret/1', undefined],
  ['X-Cloud-Trace-Context', `${TRACE}/1;o=1, ${TRACE}/secret`, undefined],
  ['traceparent', `00-${TRACE}secret-01`, undefined],
  ['traceparent', `ff-${TRACE}-09158d8185d3c3af-01`, undefined],
  ['traceparent', `00-${TRACE}-secret`, undefined],
])('logs of the header %s: %s the trace %s', async (name, value, trace) => {
  const { entry } = await logged(() =>
    service.send('artists-list', '/artists', { headers: { [name]: value } }),
  );

  expect(entry['logging.googleapis.com/trace']).toBe(
    trace && `projects/${service.projectId}/traces/${trace}`,
  );
});
