/** Who may read the messages of a conversation, and in which order they come. */
import { HttpsError } from 'firebase-functions/https';
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

async function list(cursor?: string) {
  return firestore.within(() => listMessages('c', { limit: 2, cursor }, 'alice'));
}

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

  expect(await list()).toEqual({
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

test('go on after a cursor, which is read with the conversation', async () => {
  firestore.play(
    byKind({
      batchGet: documents({ ...CONVERSATION, 'conversations/c/messages/m1': { timestamp } }),
      runQuery: found({ 'conversations/c/messages/m0': { timestamp } }),
    }),
  );

  expect(await list('m1')).toMatchObject({ messages: [{ id: 'm0' }], hasMore: false });
  expect(sent('runQuery')).toMatchObject({
    structuredQuery: {
      startAt: {
        values: [timestamp, { referenceValue: nameOf('conversations/c/messages/m1') }],
        before: false,
      },
    },
  });
});

test.each([
  ['does not exist', undefined],
  ['has no time', {}],
])('are refused if the cursor %s', async (_what, message) => {
  firestore.play(documents({ ...CONVERSATION, 'conversations/c/messages/m9': message }));

  await expect(list('m9')).rejects.toEqual(
    new HttpsError('invalid-argument', 'cursor is not an element of this list.'),
  );
});

test.each([
  ['somebody else', { arrayValue: { values: [{ stringValue: 'bob' }] } }],
  ['nobody', { arrayValue: {} }],
  ['null', { nullValue: null }],
  ['text', { stringValue: 'alice' }],
  ['a map', { mapValue: { fields: { alice: { stringValue: 'alice' } } } }],
  ['nothing', undefined],
])('are refused if the participants are %s, and are not read', async (_what, stored) => {
  firestore.play(documents({ 'conversations/c': { participantIds: stored } }));

  await expect(list()).rejects.toEqual(
    new HttpsError('permission-denied', 'You are not a participant of this conversation.'),
  );
  expect(firestore.seen).toHaveLength(1);
});

test('are not found if there is no such conversation', async () => {
  firestore.play(documents({ 'conversations/c': undefined }));

  await expect(list()).rejects.toEqual(
    new HttpsError('not-found', 'conversationId names a document that does not exist.'),
  );
});
