import type { Message } from '../../functions/src/conversations/message.ts';
import { signedIn, type SignedIn } from '../support/accounts.ts';
import { call, type JsonResponse } from '../support/api.ts';
import { storedMessage } from '../support/factories.ts';
import { freshId, stackStore } from '../support/firestore.ts';

const PATH = '/conversations/get-messages';
const NOW = Date.UTC(2026, 5, 1);

interface Page {
  readonly messages: readonly Message[];
  readonly hasMore: boolean;
  readonly nextCursor?: string;
}

describe('GET /conversations/get-messages', () => {
  const store = stackStore();

  /** A conversation of two with these messages; returns their ids in the order stored. */
  async function stored(messages: readonly Readonly<Record<string, unknown>>[]) {
    const [alice, bob] = await Promise.all([signedIn(), signedIn()]);
    const conversationId = freshId('conversation');
    const ids = messages.map((_message, index) => `message-${String(index).padStart(3, '0')}`);
    await store.setIn('conversations', {
      [conversationId]: { participantIds: [alice.uid, bob.uid] },
    });
    await store.setIn(
      `conversations/${conversationId}/messages`,
      Object.fromEntries(ids.map((id, index) => [id, storedMessage(messages[index])])),
    );
    return { alice, bob, conversationId, ids };
  }

  async function read(
    caller: SignedIn,
    conversationId: string,
    query = '',
  ): Promise<JsonResponse<Page>> {
    return call<Page>('GET', `${PATH}?conversationId=${conversationId}${query}`, {
      token: caller.token,
    });
  }

  function idsOf({ body }: JsonResponse<Page>): string[] {
    return body.messages.map(({ id }) => id);
  }

  test('returns the messages to each participant, newest first; with equal times by id', async () => {
    const { alice, bob, conversationId, ids } = await stored([
      { timestamp: NOW + 1 },
      { timestamp: NOW + 3 },
      { timestamp: NOW + 2 },
      { timestamp: NOW + 2 },
    ]);
    const inOrder = [ids[1], ids[3], ids[2], ids[0]];

    const responses = [await read(alice, conversationId), await read(bob, conversationId)];

    expect(responses.map(idsOf)).toEqual([inOrder, inOrder]);
    expect(responses[0]?.body).toEqual({
      messages: [NOW + 3, NOW + 2, NOW + 2, NOW + 1].map((timestamp, index) => ({
        ...storedMessage({ timestamp }),
        id: inOrder[index],
      })),
      hasMore: false,
    });
    expect(responses[0]?.headers.get('cache-control')).toBe('private, no-store');
  });

  test('returns each message once while new ones arrive', async () => {
    const { alice, conversationId, ids } = await stored(
      Array.from({ length: 130 }, (_, index) => ({ timestamp: NOW + Math.floor(index / 3) })),
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const response = await read(
        alice,
        conversationId,
        `&limit=20${cursor ? `&cursor=${cursor}` : ''}`,
      );
      seen.push(...idsOf(response));
      cursor = response.body.nextCursor;
      expect(response.body.hasMore).toBe(cursor !== undefined);
      pages += 1;
      await store.setIn(`conversations/${conversationId}/messages`, {
        [`new-${pages}`]: storedMessage({ timestamp: NOW + 1000 + pages }),
      });
    } while (cursor !== undefined);

    expect(pages).toBe(7);
    expect(seen).toEqual(ids.toReversed());
  });

  test('returns 50 messages by default, and 100 at most', async () => {
    const { alice, conversationId } = await stored(
      Array.from({ length: 101 }, (_, index) => ({ timestamp: NOW + index })),
    );

    expect(idsOf(await read(alice, conversationId))).toHaveLength(50);
    expect(idsOf(await read(alice, conversationId, '&limit=100'))).toHaveLength(100);
  });

  test('is empty if there are no messages', async () => {
    const { alice, conversationId } = await stored([]);

    expect(await read(alice, conversationId)).toMatchObject({
      status: 200,
      body: { messages: [], hasMore: false },
    });
  });

  test('returns stored Timestamps in milliseconds', async () => {
    const { alice, conversationId } = await stored([{ timestamp: new Date(NOW + 7) }]);

    expect((await read(alice, conversationId)).body.messages).toMatchObject([
      { timestamp: NOW + 7 },
    ]);
  });

  test('returns only the fields of the specification, and tolerates wrong values', async () => {
    const { alice, conversationId, ids } = await stored([
      { id: 'another', secret: 'x', content: 7, readBy: ['a', 5], timestamp: NOW },
    ]);

    expect((await read(alice, conversationId)).body.messages).toEqual([
      { id: ids[0], senderId: 'artist-alice', timestamp: NOW, readBy: ['a'], type: 'text' },
    ]);
  });

  test('refuses everyone who is not a participant', async () => {
    const { conversationId, ids } = await stored([{}]);
    const carol = await signedIn();

    const responses = await Promise.all(
      ['', `&cursor=${ids[0] ?? ''}`, '&cursor=nothing'].map((query) =>
        read(carol, conversationId, query),
      ),
    );

    expect(responses.map(({ status, body }) => ({ status, body }))).toEqual(
      Array.from({ length: 3 }, () => ({
        status: 403,
        body: { message: 'You are not a participant of this conversation.' },
      })),
    );
  });

  test('refuses a participant who was removed between two pages', async () => {
    const { alice, bob, conversationId } = await stored([{}, {}, {}]);
    const first = await read(bob, conversationId, '&limit=1');
    await store.setIn('conversations', { [conversationId]: { participantIds: [alice.uid] } });

    const second = await read(
      bob,
      conversationId,
      `&limit=1&cursor=${first.body.nextCursor ?? ''}`,
    );

    expect(first.status).toBe(200);
    expect(second.status).toBe(403);
  });

  test.each([undefined, null, 'everybody', {}, [null]])(
    'refuses everyone if the stored participants are %j',
    async (participantIds) => {
      const alice = await signedIn();
      const conversationId = freshId('conversation');
      await store.setIn('conversations', {
        [conversationId]: participantIds === undefined ? {} : { participantIds },
      });

      expect((await read(alice, conversationId)).status).toBe(403);
    },
  );

  test('returns 404 for a missing conversation', async () => {
    expect(await read(await signedIn(), freshId('conversation'))).toMatchObject({
      status: 404,
      body: { message: 'conversationId names a document that does not exist.' },
    });
  });

  test('refuses a cursor that is not in the conversation', async () => {
    const { alice, conversationId } = await stored([{}]);
    const { ids: foreign } = await stored([{}, {}, {}]);

    for (const cursor of ['nothing', foreign[2] ?? '']) {
      expect(await read(alice, conversationId, `&cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { message: 'cursor is not an element of this list.' },
      });
    }
  });

  test.each([
    ['', /^conversationId is required\.$/],
    ['?conversationId=', /^conversationId must be an id/],
    ['?conversationId=a%2Fmessages%2Fb', /^conversationId must be an id/],
    ['?conversationId=a&conversationId=b', /^conversationId must be a string\.$/],
    ['?conversationId=a&limit=0', /^limit must be an integer from 1 to 100\.$/],
    ['?conversationId=a&limit=101', /^limit must be an integer from 1 to 100\.$/],
    ['?conversationId=a&limit=', /^limit must be an integer from 1 to 100\.$/],
    ['?conversationId=a&cursor=..', /^cursor must be an id/],
  ])('refuses the query “%s”', async (query, message) => {
    const { token } = await signedIn();

    expect(await call('GET', `${PATH}${query}`, { token })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(message) as string },
    });
  });
});
