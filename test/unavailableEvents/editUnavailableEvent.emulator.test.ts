import { signedIn, type SignedIn } from '../support/accounts.ts';
import { call, type JsonResponse } from '../support/api.ts';
import { storedEvent } from '../support/factories.ts';
import { freshId, stackStore } from '../support/firestore.ts';

const PATH = '/unavailable-events/edit-unavailable-event';
const START = Date.UTC(2026, 5, 1, 9);

function sentEvent(fields: Readonly<Record<string, unknown>> = {}) {
  return {
    id: 'event-alice',
    title: 'Dentist',
    date: START,
    startTime: START,
    endTime: START + 1,
    ...fields,
  };
}

describe('PUT /unavailable-events/edit-unavailable-event', () => {
  const store = stackStore();

  async function storedFor(): Promise<{ alice: SignedIn; id: string }> {
    const alice = await signedIn();
    const id = freshId('event');
    await store.setIn('unavailableEvents', {
      [id]: storedEvent({ artistId: alice.uid, colour: 'red' }),
    });
    return { alice, id };
  }

  async function edit(caller: SignedIn, body: object): Promise<JsonResponse> {
    return call('PUT', PATH, { token: caller.token, body });
  }

  async function data(id: string) {
    return await store.get(`unavailableEvents/${id}`);
  }

  test('replaces the title and the times, preserves other fields, and can be repeated', async () => {
    const { alice, id } = await storedFor();

    const responses = [await edit(alice, sentEvent({ id })), await edit(alice, sentEvent({ id }))];

    expect(responses.map(({ status, body }) => ({ status, body }))).toEqual(
      Array.from({ length: 2 }, () => ({
        status: 200,
        body: { success: true, message: 'The unavailable event was updated.' },
      })),
    );
    expect({ ...(await data(id)), id }).toEqual({
      ...sentEvent({ id }),
      artistId: alice.uid,
      colour: 'red',
    });
  });

  test.each(['x', 'é'.repeat(200), '🖋'.repeat(200)])('accepts the title %s', async (title) => {
    const { alice, id } = await storedFor();

    expect((await edit(alice, sentEvent({ id, title }))).status).toBe(200);
    expect(await data(id)).toMatchObject({ title });
  });

  test.each([
    ['id', { id: 'a/b' }, /^id must be an id/],
    ['an empty title', { title: '' }, /^title must have 1 to 200 characters\.$/],
    [
      'a title of 201 characters',
      { title: 'x'.repeat(201) },
      /^title must have 1 to 200 characters\.$/,
    ],
    ['title', { title: 7 }, /^title must be a string\.$/],
    ['unpaired surrogates', { title: 'a\udc00' }, /^title must be valid Unicode\.$/],
    ['date', { date: '2026-06-01' }, /^date must be a number\.$/],
    ['startTime', { startTime: null }, /^startTime must be a number\.$/],
    ['an impossible time', { endTime: 1e17 }, /^endTime must be a time: /],
    ['a duration of 0', { endTime: START }, /^endTime must be later than startTime\.$/],
    ['an end before the start', { endTime: START - 1 }, /^endTime must be later than startTime\.$/],
  ] as const)('refuses %s that is invalid, and changes nothing', async (_what, fields, message) => {
    const { alice, id } = await storedFor();

    const response = await edit(alice, sentEvent({ id, ...fields }));

    expect(response).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(message) as string },
    });
    expect(await data(id)).toEqual(storedEvent({ artistId: alice.uid, colour: 'red' }));
  });

  test('returns 404 for a missing event, and does not create one', async () => {
    const alice = await signedIn();
    const id = freshId('event');

    const response = await edit(alice, sentEvent({ id }));

    expect(response).toMatchObject({
      status: 404,
      body: { message: 'id names a document that does not exist.' },
    });
    expect(await data(id)).toBeUndefined();
  });

  test('refuses another artist’s event, and changes nothing', async () => {
    const { alice, id } = await storedFor();
    const bob = await signedIn();

    const response = await edit(bob, sentEvent({ id, artistId: bob.uid }));

    expect(response).toMatchObject({
      status: 403,
      body: { message: 'id names a document that is not yours.' },
    });
    expect(await data(id)).toEqual(storedEvent({ artistId: alice.uid, colour: 'red' }));
  });

  test('stores one of two concurrent changes completely', async () => {
    const { alice, id } = await storedFor();
    const one = sentEvent({ id });
    const other = sentEvent({ id, title: 'Holiday', date: 1, startTime: 2, endTime: 3 });

    const responses = await Promise.all([edit(alice, one), edit(alice, other)]);

    const stored = (await data(id)) ?? {};
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect({ ...stored, id }).toEqual({
      ...(stored.title === 'Holiday' ? other : one),
      artistId: alice.uid,
      colour: 'red',
    });
  });
});
