import { logger } from 'firebase-functions/logger';
import {
  storedAvailability,
  storedBooking,
  storedEvent,
  storedListing,
  storedMessage,
  storedPhoto,
} from '../support/factories.ts';
import { deployedEndpoints } from '../support/deployMap.ts';
import { freshId, store } from '../support/firestore.ts';
import { inProcessService } from '../support/inProcessService.ts';
import type { RawAnswer } from '../support/rawRequest.ts';
import { EXAMPLES } from '../openapi/examples.ts';

const service = inProcessService({
  USER_REQUESTS_PER_MINUTE: '0',
  ADDRESS_REQUESTS_PER_MINUTE: '0',
});

type Entry = Readonly<Record<string, unknown>>;

/** Sends a request, and gives what was logged of it. */
async function logged(
  send: () => Promise<RawAnswer>,
): Promise<{ answer: RawAnswer; entry: Entry }> {
  const write = jest.spyOn(logger, 'write').mockImplementation(() => undefined);
  try {
    const answer = await send();
    expect(write).toHaveBeenCalledTimes(1);
    return { answer, entry: write.mock.calls[0]?.[0] as unknown as Entry };
  } finally {
    write.mockRestore();
  }
}

/** Stores what every endpoint's example needs to be answered with 200 to this user; gives the request of one of them. */
async function exampleRequest(functionId: string, uid: string) {
  const id = freshId('thing');
  const others = [freshId('thing'), freshId('thing')] as const;
  const all = [id, ...others];
  const { firestore } = service;
  const owned = (stored: object) => Object.fromEntries(all.map((each) => [each, stored]));
  await store(firestore, 'users', { [uid]: { newNotificationsCount: 3 } });
  await store(firestore, 'flash', owned(storedListing({ artistId: uid })));
  await store(firestore, 'gallery', owned(storedPhoto({ artistId: uid })));
  await store(firestore, 'availability', owned(storedAvailability({ artistId: uid })));
  await store(firestore, 'unavailableEvents', owned(storedEvent({ artistId: uid })));
  await store(firestore, 'bookings', owned(storedBooking({ artistId: uid })));
  await store(firestore, 'conversations', owned({ participantIds: [uid] }));
  await store(firestore, `conversations/${id}/messages`, owned(storedMessage()));
  const bodies: Readonly<Record<string, object>> = {
    'availability-updateAvailability': { artistId: uid, availabilityId: id },
    'bookings-deleteSession': { bookingId: id },
    'flash-markAsAvailable': { flashIds: all },
    'flash-markAsUnavailable': { flashIds: all },
    'flash-reorder': { flashUpdates: all.map((each, order) => ({ id: each, order })) },
    'gallery-removePhotos': { photoIds: all },
    'unavailableEvents-editUnavailableEvent': { id },
  };
  const query = functionId === 'conversations-getMessages' ? `?conversationId=${id}` : '';
  const body = { ...EXAMPLES[functionId]?.body, ...bodies[functionId] };
  return { query, body };
}

test.each(deployedEndpoints.map(({ functionId, endpoint }) => [functionId, endpoint] as const))(
  '%s logs one line, with the reads and writes that Firestore bills',
  async (functionId, { declaration: { method, path } }) => {
    const uid = freshId('alice');
    const { query, body } = await exampleRequest(functionId, uid);
    const before = await service.control.usage(service.projectId);

    const { answer, entry } = await logged(() =>
      service.send(functionId, `${path.replace(/\{\w+\}/g, uid)}${query}`, {
        method,
        headers: {
          Authorization: `Bearer ${service.tokenOf(uid)}`,
          ...(method !== 'GET' && { 'Content-Type': 'application/json' }),
        },
        ...(method !== 'GET' && { body: JSON.stringify(body) }),
      }),
    );

    const after = await service.control.usage(service.projectId);
    expect(answer.status).toBe(200);
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
      requestId: answer.headers['x-request-id'],
      status: 200,
      latencyMs: expect.any(Number) as number,
      firestoreReads: after.reads - before.reads,
      firestoreWrites: after.writes + after.deletes - before.writes - before.deletes,
    });
  },
);

test.each<[string, number, Parameters<typeof service.send>[2]]>([
  ['/flash/reorder', 401, { method: 'PUT' }],
  ['/flash/reorder', 405, { method: 'POST' }],
  ['/flash/reorder', 204, { method: 'OPTIONS' }],
  ['/flash/elsewhere', 404, { method: 'PUT' }],
])('logs a line for %s with %d', async (path, status, options) => {
  const { answer, entry } = await logged(() => service.send('flash-reorder', path, options));

  expect(answer.status).toBe(status);
  expect(entry).toMatchObject({
    message: `${options?.method ?? ''} /flash/reorder ${status}`,
    requestId: answer.headers['x-request-id'],
    firestoreReads: 0,
    firestoreWrites: 0,
  });
});

test('logs nothing that the caller has sent', async () => {
  const token = service.tokenOf('alice');
  const { entry } = await logged(() =>
    service.send('gallery-removePhotos', '/gallery/remove-photos?photoIds=secret-id', {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${token}`, 'User-Agent': 'alice@example.com' },
    }),
  );

  expect(JSON.stringify(entry)).not.toMatch(/secret-id|alice|eyJ/);
});
