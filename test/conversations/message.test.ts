/** How the messages of a conversation are read; test/service/contract has who may read them, and which come. */
import { listMessages } from '../../functions/src/conversations/message.ts';
import {
  byKind,
  documents,
  found,
  kindOf,
  nameOf,
  scriptedFirestore,
} from '../support/scriptedFirestore.ts';

const firestore = scriptedFirestore();

const participantIds = {
  arrayValue: { values: [{ stringValue: 'bob' }, { stringValue: 'alice' }] },
};
const timestamp = { integerValue: '7' };
const CONVERSATION = { 'conversations/c': { participantIds } };

function sent(kind: string): unknown {
  return firestore.seen.find(({ path }) => kindOf(path) === kind)?.body;
}

test('come newest first, with the fields of a message', async () => {
  firestore.play(
    byKind({
      batchGet: documents(CONVERSATION),
      runQuery: found({
        'conversations/c/messages/m2': { timestamp, content: { stringValue: 'Hi!' } },
        'conversations/c/messages/m1': { timestamp, secret: { stringValue: 'x' } },
        'conversations/c/messages/m0': { timestamp },
      }),
    }),
  );

  const page = await firestore.within(() => listMessages('c', { limit: 2 }, 'alice'));

  expect(page).toEqual({
    messages: [
      { id: 'm2', timestamp: 7, content: 'Hi!' },
      { id: 'm1', timestamp: 7 },
    ],
    hasMore: true,
    nextCursor: 'm1',
  });
  expect(sent('batchGet')).toEqual({
    documents: [nameOf('conversations/c')],
    mask: { fieldPaths: ['participantIds', 'timestamp'] },
  });
  expect(sent('runQuery')).toMatchObject({
    structuredQuery: {
      select: {
        fields: ['senderId', 'content', 'timestamp', 'readBy', 'type'].map((fieldPath) => ({
          fieldPath,
        })),
      },
      from: [{ collectionId: 'messages' }],
      orderBy: ['timestamp', '__name__'].map((fieldPath) => ({
        field: { fieldPath },
        direction: 'DESCENDING',
      })),
    },
  });
});
