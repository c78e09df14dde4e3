/** Tests of a function's process: graceful shutdown, invalid parameters, and the log of internal errors. */
import { setTimeout as delay } from 'node:timers/promises';
import { useBuiltService } from '../support/processes/builtService.ts';
import { sendRawRequest } from '../support/requests/sendRawRequest.ts';

const service = useBuiltService();

test('on SIGTERM, a process completes requests in progress, accepts no more, and exits', async () => {
  const { origin, pid, exitReason } = await service.serve('artists-list', {
    PUBLIC_CACHE_SECONDS: '0',
  });
  service.google.faultInjector.inject({
    host: 'firestore.googleapis.com',
    kind: 'delayed',
    times: 3,
  });
  const countQueries = () =>
    service.google.requestCounts.get('firestore.googleapis.com runQuery') ?? 0;
  const before = countQueries();
  const requests = Promise.all([1, 2, 3].map(() => sendRawRequest(origin, '/artists')));
  while (countQueries() < before + 3) await delay(20);

  process.kill(pid, 'SIGTERM');
  // A request is served or rejected until the process stops listening.
  let isListening = true;
  while (isListening)
    isListening = await sendRawRequest(origin, '/nothing').then(Boolean, () => false);
  service.google.faultInjector.release();

  expect((await requests).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await exitReason).toBe(0);
});

test('a process with an invalid parameter does not start, and logs the allowed values', async () => {
  await expect(service.serve('artists-list', { PUBLIC_CACHE_SECONDS: '' })).rejects.toThrow(
    /did not start.*Error: PUBLIC_CACHE_SECONDS= is invalid\. Allowed: an integer from 0 to 86400\./s,
  );
});

test('each 500 logs its cause with a position in the source, and all log entries have the trace of the request', async () => {
  const listings = await service.serve('flash-listByArtist');
  service.google.faultInjector.inject({
    host: 'firestore.googleapis.com',
    kind: 'status',
    status: 404,
  });

  const trace = '105445aa7843bc8bf206b12000100000';
  const headers = { 'X-Cloud-Trace-Context': `${trace}/1;o=1` };
  const responses = [1, 2].map(async () =>
    sendRawRequest(listings.origin, '/flash/artist/a/paginated', { headers }),
  );
  const message = 'Something went wrong on our side. Please try again later.';
  for (const { status, text } of await Promise.all(responses)) {
    expect([status, JSON.parse(text)]).toEqual([500, { message }]);
  }
  service.google.faultInjector.clear();
  await listings.stop();

  const errors = listings.logs.filter(
    ({ severity, httpRequest }) => severity === 'ERROR' && httpRequest === undefined,
  );
  expect(errors).toHaveLength(2);
  const traceName = `projects/${service.google.environment.GCLOUD_PROJECT}/traces/${trace}`;
  expect(listings.logs.map((entry) => entry['logging.googleapis.com/trace'])).toEqual(
    Array(4).fill(traceName),
  );
  for (const error of errors) {
    expect(error.message).toContain('NOT_FOUND');
    // The position is in the source, not in the bundle.
    expect(error.message).toMatch(/\bsrc\/\w+\.ts:\d+:\d+/);
  }
});
