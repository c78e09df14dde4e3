import { signedIn, type SignedIn } from '../support/accounts.ts';
import { call, type JsonResponse } from '../support/api.ts';
import { storedPhoto } from '../support/factories.ts';
import { changesOnlyOwned, ownedDocuments } from '../support/ownedDocuments.ts';

const PATH = '/gallery/remove-photos';

async function remove(caller: SignedIn, photoIds: unknown): Promise<JsonResponse> {
  return call('DELETE', PATH, { token: caller.token, body: { photoIds } });
}

async function removeByQuery(caller: SignedIn, query: string): Promise<JsonResponse> {
  return call('DELETE', `${PATH}?${query}`, { token: caller.token });
}

describe('DELETE /gallery/remove-photos', () => {
  changesOnlyOwned({
    collection: 'gallery',
    stored: storedPhoto,
    field: (index) => `photoIds[${index}]`,
    change: remove,
  });

  const { storedFor, data } = ownedDocuments({ collection: 'gallery', stored: storedPhoto });

  test('deletes exactly the named photos, and accepts a repeated id', async () => {
    const { alice, ids } = await storedFor(3);
    const [first = '', second = ''] = ids;

    const response = await remove(alice, [first, second, first]);

    expect(response).toMatchObject({ status: 200, body: { success: true } });
    expect(await data(ids)).toEqual([
      undefined,
      undefined,
      storedPhoto({ artistId: alice.uid, order: 2 }),
    ]);
  });

  test('returns 404 when it is repeated', async () => {
    const { alice, ids } = await storedFor(2);
    await remove(alice, ids);

    expect(await remove(alice, ids)).toMatchObject({
      status: 404,
      body: { message: 'photoIds[0] names a document that does not exist.' },
    });
  });

  test('accepts ids in the query if there is no body', async () => {
    const { alice, ids } = await storedFor(3);
    const [first = '', second = '', third = ''] = ids;

    const one = await removeByQuery(alice, `photoIds=${first}`);
    const others = await removeByQuery(alice, `photoIds=${second}&other=1&photoIds=${third}`);

    expect([one, others].map(({ status, body }) => ({ status, body }))).toEqual(
      Array.from({ length: 2 }, () => ({ status: 200, body: { success: true } })),
    );
    expect(await data(ids)).toEqual([undefined, undefined, undefined]);
  });

  test('ignores ids in the query if there is a body', async () => {
    const { alice, ids } = await storedFor(2);
    const [first = '', second = ''] = ids;

    const { status } = await call('DELETE', `${PATH}?photoIds=${second}`, {
      token: alice.token,
      body: { photoIds: [first] },
    });

    expect(status).toBe(200);
    expect(await data(ids)).toMatchObject([undefined, { order: 1 }]);
  });

  test.each([
    ['photoIds=a%2Fb', 'photoIds[0] must be an id'],
    ['photoIds=', 'photoIds[0] must be an id'],
    ['other=1', 'A JSON body is required.'],
    ['photoids=a', 'A JSON body is required.'],
  ])('refuses ?%s', async (query, start) => {
    const response = await removeByQuery(await signedIn(), query);

    expect(response.status).toBe(400);
    expect((response.body as { message: string }).message.startsWith(start)).toBe(true);
  });

  test('succeeds or returns 404 for two concurrent requests with the same photos', async () => {
    const { alice, ids } = await storedFor(2);

    const responses = await Promise.all([remove(alice, ids), remove(alice, ids)]);

    // 404 if the photos were already deleted; 200 if they were deleted meanwhile.
    const statuses = responses.map(({ status }) => status).sort();
    expect([
      [200, 200],
      [200, 404],
    ]).toContainEqual(statuses);
    expect(await data(ids)).toEqual([undefined, undefined]);
  });

  test.each([
    ['text', 'a', 'photoIds must be an array.'],
    ['a number as an id', ['a', 7], 'photoIds[1] must be a string.'],
  ])('refuses %s for ids', async (_what, photoIds, message) => {
    expect(await remove(await signedIn(), photoIds)).toMatchObject({
      status: 400,
      body: { message },
    });
  });
});
