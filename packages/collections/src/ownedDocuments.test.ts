/** The documents that a caller may change or delete. test/contract tests them with concurrent requests. */
import * as z from 'zod';
import { defineCollection } from './defineCollection.ts';
import { deleteOwned } from './deleteOwned.ts';
import { listUniqueReferences } from './documentReference.ts';
import type { OwnedDocuments } from './ownedDocuments.ts';
import { updateOwned } from './updateOwned.ts';
import {
  respondCommit,
  respondBatchGet,
  toDocumentName,
  useStubFirestore,
} from '../../../test/support/google/stubFirestore.ts';

const firestore = useStubFirestore();

const schema = z.object({
  id: z.string(),
  artistId: z.string().optional().describe('A field of this test.'),
  clientId: z.string().optional().describe('A field of this test.'),
});
const parts = defineCollection('things/{thingId}/parts', {
  description: 'Parts of things.',
  schema,
  owner: 'clientId',
});
const PATH = 'things/t/parts/p';
const STORED = { artistId: { stringValue: 'alice' }, clientId: { stringValue: 'bob' } };
const PART = {
  collection: parts,
  params: { thingId: 't' },
  documents: [{ partId: 'p' }],
  callerId: 'bob',
};

type Owned = OwnedDocuments<typeof schema>;

const CALLS: readonly { name: string; call: (changes?: Partial<Owned>) => Promise<unknown> }[] = [
  {
    name: 'updateOwned',
    call: (changes) => updateOwned({ ...PART, ...changes }, () => ({ artistId: 'carol' })),
  },
  { name: 'deleteOwned', call: (changes) => deleteOwned({ ...PART, ...changes }) },
];

test.each([
  {
    name: 'updateOwned',
    call: CALLS[0]?.call,
    write: {
      update: { name: toDocumentName(PATH), fields: { artistId: { stringValue: 'carol' } } },
      updateMask: { fieldPaths: ['artistId'] },
    },
  },
  { name: 'deleteOwned', call: CALLS[1]?.call, write: { delete: toDocumentName(PATH) } },
])('$name writes only the version that was checked', async ({ call, write }) => {
  firestore.setResponses(respondBatchGet({ [PATH]: STORED }), respondCommit());

  await firestore.runInRequest(async () => call?.());

  expect(firestore.requests[1]?.body).toEqual({
    writes: [{ ...write, currentDocument: { updateTime: 'one' } }],
  });
});

describe.each(CALLS)('$name', ({ call }) => {
  test.each<{ name: string; changes: Partial<Owned>; code: string | undefined }>([
    { name: 'allows the collection’s owner', changes: {}, code: undefined },
    { name: 'rejects another user', changes: { callerId: 'alice' }, code: 'permission-denied' },
    {
      name: 'allows the user in ownedBy',
      changes: { callerId: 'alice', ownedBy: 'artistId' },
      code: undefined,
    },
    {
      name: 'rejects the collection’s owner who is not the user in ownedBy',
      changes: { ownedBy: 'artistId' },
      code: 'permission-denied',
    },
    {
      name: 'allows the user whose uid is the ID of the document, with ownedBy id',
      changes: { callerId: 'p', ownedBy: 'id' },
      code: undefined,
    },
    {
      name: 'rejects the stored owner, with ownedBy id',
      changes: { ownedBy: 'id' },
      code: 'permission-denied',
    },
  ])('$name', async ({ changes, code }) => {
    firestore.setResponses(respondBatchGet({ [PATH]: STORED }), respondCommit());

    const error: unknown = await firestore
      .runInRequest(() => call(changes))
      .then(() => undefined)
      .catch((reason: unknown) => reason);

    expect((error as { code?: string } | undefined)?.code).toBe(code);
    expect(firestore.requests).toHaveLength(code === undefined ? 2 : 1);
  });

  test.each<{ name: string; changes: Partial<Owned>; message: string }>([
    {
      name: 'the field that refers to the document',
      changes: {},
      message: 'partId refers to a document that does not exist.',
    },
    {
      name: 'another message, if the caller passes one',
      changes: { missingMessage: 'You have no part.' },
      message: 'You have no part.',
    },
  ])('throws not-found with $name', async ({ changes, message }) => {
    firestore.setResponses(respondBatchGet({ [PATH]: undefined }));

    await expect(firestore.runInRequest(() => call(changes))).rejects.toMatchObject({
      code: 'not-found',
      message,
    });
  });

  test('sends nothing if a path parameter is missing', async () => {
    firestore.setResponses(respondCommit());

    await expect(firestore.runInRequest(() => call({ params: {} }))).rejects.toThrow(
      'things/{thingId}/parts needs a document ID as the parameter thingId.',
    );
    expect(firestore.requests).toEqual([]);
  });
});

test('a collection without an owner needs ownedBy', async () => {
  const rooms = defineCollection('rooms', {
    description: 'Rooms of this test.',
    schema: z.object({ id: z.string() }),
  });
  const documents = [{ roomId: 'a' }];

  await expect(
    updateOwned({ collection: rooms, documents, callerId: 'alice' }, () => ({})),
  ).rejects.toThrow('The collection rooms declares no owner, so `ownedBy` is required.');
});

const things = defineCollection('things', { description: 'Things.', schema, owner: 'artistId' });
const ALICE = { artistId: { stringValue: 'alice' } };

test.each([
  {
    name: 'belongs to another user',
    lastDocument: { artistId: { stringValue: 'bob' } },
    code: 'permission-denied',
    problem: 'you do not own',
  },
  {
    name: 'does not exist',
    lastDocument: undefined,
    code: 'not-found',
    problem: 'does not exist',
  },
])('throws $code if the last of 500 documents $name', async ({ lastDocument, code, problem }) => {
  const ids = Array.from({ length: 500 }, (_, index) => `${index}`);
  const stored = ids.map((id) => [`things/${id}`, id === '499' ? lastDocument : ALICE] as const);
  const documents = listUniqueReferences('ids', ids);
  const owned = { collection: things, documents, callerId: 'alice' };
  firestore.setResponses(respondBatchGet(Object.fromEntries(stored)));

  await expect(firestore.runInRequest(() => deleteOwned(owned))).rejects.toMatchObject({
    code,
    message: `ids[499] refers to a document that ${problem}.`,
  });
});
