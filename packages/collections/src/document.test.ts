import * as z from 'zod';
import { defineCollection } from './defineCollection.ts';
import { readDocument, updateDocument, updateOwnDocument } from './document.ts';
import { deleteOwned, updateOwned } from './ownedDocuments.ts';
import { storedTime } from './storedTime.ts';
import {
  respondBatchGet,
  respondCommit,
  toDocumentName,
  useStubFirestore,
} from '../../../test/support/google/stubFirestore.ts';

const firestore = useStubFirestore();

const parts = defineCollection('things/{thingId}/parts', {
  description: 'Parts of things.',
  schema: z.object({
    id: z.string(),
    artistId: z.string().optional().describe('A field of this test.'),
    clientId: z.string().optional().describe('A field of this test.'),
    tags: z.array(z.string()).optional().describe('A field of this test.'),
    signedAt: storedTime.optional().describe('A field of this test.'),
    updatedAt: storedTime.optional().describe('A field of this test.'),
  }),
  owner: 'clientId',
});
const PART = {
  collection: parts,
  params: { thingId: 't' },
  document: { id: 'p', field: 'partId' },
};
const PATH = 'things/t/parts/p';
const STORED = { artistId: { stringValue: 'alice' }, clientId: { stringValue: 'bob' } };
const TIMESTAMP = { timestampValue: '2020-01-01T00:00:00Z' };

test('readDocument reads the requested fields, and decodes them', async () => {
  const tags = { arrayValue: { values: [{ stringValue: 'a' }] } };
  firestore.setResponses(respondBatchGet({ [PATH]: { tags } }));

  const part = await firestore.runInRequest(() => readDocument(PART, ['tags']));

  expect(part).toEqual({ id: 'p', tags: ['a'] });
  expect(firestore.requests[0]?.body).toMatchObject({
    documents: [toDocumentName(PATH)],
    mask: { fieldPaths: ['tags'] },
  });
});

const owned = { ...PART, documents: [PART.document], caller: 'bob' };
const CALLS: readonly { name: string; call: (changes?: object) => Promise<unknown> }[] = [
  { name: 'readDocument', call: (changes) => readDocument({ ...PART, ...changes }, ['tags']) },
  {
    name: 'updateDocument',
    call: (changes) => updateDocument({ ...PART, caller: 'bob', ...changes }, [], () => ({})),
  },
  { name: 'updateOwned', call: (changes) => updateOwned({ ...owned, ...changes }, () => ({})) },
  { name: 'deleteOwned', call: (changes) => deleteOwned({ ...owned, ...changes }) },
];

test.each(CALLS)(
  '$name throws not-found, with the field that refers to the document',
  async ({ call }) => {
    firestore.setResponses(respondBatchGet({ [PATH]: undefined }));

    await expect(firestore.runInRequest(() => call())).rejects.toMatchObject({
      code: 'not-found',
      message: 'partId refers to a document that does not exist.',
    });
  },
);

test.each(CALLS)('$name sends nothing if a path parameter is missing', async ({ call }) => {
  firestore.setResponses(respondCommit());

  await expect(firestore.runInRequest(() => call({ params: {} }))).rejects.toThrow(
    'things/{thingId}/parts needs a document ID as the parameter thingId.',
  );
  expect(firestore.requests).toEqual([]);
});

test('updateDocument keeps the format of times, and sets updatedAt', async () => {
  jest.spyOn(Date, 'now').mockReturnValue(1_000);
  firestore.setResponses(
    respondBatchGet({ [PATH]: { ...STORED, signedAt: TIMESTAMP } }),
    respondCommit(),
  );

  await firestore.runInRequest(() =>
    updateDocument({ ...PART, caller: 'bob' }, ['tags'], () => ({
      signedAt: { integerValue: '2000' },
    })),
  );

  const fields = {
    signedAt: { timestampValue: '1970-01-01T00:00:02.000000Z' },
    updatedAt: { timestampValue: '1970-01-01T00:00:01.000000Z' },
  };
  expect(firestore.requests[1]?.body).toMatchObject({
    writes: [
      { update: { name: toDocumentName(PATH), fields }, currentDocument: { updateTime: 'one' } },
    ],
  });
});

test.each([
  { name: 'allow the collection’s owner', caller: 'bob', ownedBy: undefined, isAllowed: true },
  { name: 'reject another user', caller: 'alice', ownedBy: undefined, isAllowed: false },
  { name: 'allow the user in ownedBy', caller: 'alice', ownedBy: 'artistId', isAllowed: true },
  {
    name: 'reject the collection’s owner who is not the user in ownedBy',
    caller: 'bob',
    ownedBy: 'artistId',
    isAllowed: false,
  },
] as const)('changes and deletions $name', async (row) => {
  const { caller, ownedBy, isAllowed } = row;
  const location = { ...PART, caller, ...(ownedBy && { ownedBy }) };
  const requested = { ...owned, caller, ...(ownedBy && { ownedBy }) };
  const calls = [
    () => updateDocument(location, [], () => ({})),
    () => updateOwned(requested, () => ({})),
    () => deleteOwned(requested),
  ];

  for (const call of calls) {
    firestore.setResponses(respondBatchGet({ [PATH]: STORED }), respondCommit());
    const result = await firestore
      .runInRequest(call)
      .then(() => 'done')
      .catch((error: unknown) => (error as { code?: string }).code);
    expect(result).toBe(isAllowed ? 'done' : 'permission-denied');
  }
});

test('deleteOwned deletes only the version of a document that it has checked', async () => {
  firestore.setResponses(respondBatchGet({ [PATH]: STORED }), respondCommit());

  await firestore.runInRequest(() => deleteOwned(owned));

  expect(firestore.requests[1]?.body).toEqual({
    writes: [{ delete: toDocumentName(PATH), currentDocument: { updateTime: 'one' } }],
  });
});

test('updateOwnDocument throws not-found if the caller has no document', async () => {
  const things = defineCollection('things', {
    description: 'Things of this test.',
    schema: z.object({ id: z.string() }),
  });
  firestore.setResponses(respondBatchGet({ 'things/alice': undefined }));

  const change = () => updateOwnDocument({ collection: things, caller: 'alice' }, [], () => ({}));

  await expect(firestore.runInRequest(change)).rejects.toMatchObject({
    code: 'not-found',
    message: 'There is no profile for this account.',
  });
});

test('updateDocument throws without ownedBy for a collection without an owner', async () => {
  const rooms = defineCollection('rooms', {
    description: 'Rooms of this test.',
    schema: z.object({ id: z.string() }),
  });
  const document = { id: 'a', field: 'roomId' };

  await expect(
    updateDocument({ collection: rooms, document, caller: 'alice' }, [], () => ({})),
  ).rejects.toThrow('The collection rooms declares no owner, so `ownedBy` is required.');
});
