/** Creations and updates of owned documents. test/contract tests rejections, conflicts and deletions. */
import * as z from 'zod';
import { RequestContext } from '@tattoo-marketplace/endpoints';
import { createOwned, deleteOwned, updateOwned } from './ownedDocuments.ts';
import { defineCollection } from './defineCollection.ts';
import { listUniqueDocuments } from './requestedDocument.ts';
import { storedTime } from './storedTime.ts';
import {
  respondCommit,
  respondBatchGet,
  parseMethod,
  toDocumentName,
  respondError,
  useStubFirestore,
} from '../../../test/support/google/stubFirestore.ts';
import { resetConnection, type Responder } from '../../../test/support/google/stubServer.ts';

const firestore = useStubFirestore();

const DECLARATION = {
  description: 'Things of this test.',
  schema: z.object({
    id: z.string(),
    artistId: z.string().optional().describe('A field of this test.'),
    order: z.number().optional().describe('A field of this test.'),
    from: storedTime.optional().describe('A field of this test.'),
    updatedAt: storedTime.optional().describe('A field of this test.'),
  }),
  owner: 'artistId',
} as const;
const things = defineCollection('things', DECLARATION);
const ALICE = { artistId: { stringValue: 'alice' } };

function createOwnedByAlice(ids: readonly string[]) {
  return { collection: things, documents: listUniqueDocuments('ids', ids), caller: 'alice' };
}

test('documents in a subcollection are created and changed in it', async () => {
  const parts = defineCollection('things/{thingId}/parts', DECLARATION);
  const owned = {
    collection: parts,
    documents: listUniqueDocuments('ids', ['p']),
    caller: 'alice',
  };
  const change = () => updateOwned({ ...owned, params: { thingId: 't' } }, () => ({ order: 1 }));
  firestore.setResponses(respondBatchGet({ 'things/t/parts/p': ALICE }), respondCommit());

  await firestore.runInRequest(change);
  await firestore.runInRequest(() =>
    createOwned({ ...owned, params: { thingId: 't' }, id: 'new' }, {}, []),
  );

  const commits = firestore.requests.filter(({ path }) => parseMethod(path) === 'commit');
  expect(commits.map(({ body }) => body)).toMatchObject(
    ['p', 'new'].map((id) => ({
      writes: [{ update: { name: toDocumentName(`things/t/parts/${id}`) } }],
    })),
  );
});

/** Creates a thing of alice in a request. */
async function create(context = new RequestContext()) {
  const owned = { collection: things, id: 'new', caller: 'alice' };
  const work = () => createOwned(owned, { order: 1 }, ['updatedAt']);
  const result = await firestore.runInRequest(work, context).catch(String);
  const commits = firestore.requests.filter(({ path }) => parseMethod(path) === 'commit');
  // All attempts are identical.
  expect(new Set(commits.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  return { result, commits: commits.length, mayHaveWritten: context.mayHaveWritten };
}

const unavailable = respondError('UNAVAILABLE', 503);
const alreadyExists = respondError('ALREADY_EXISTS', 409);
const notFound = respondError('NOT_FOUND', 404);
const documentOfAlice = respondBatchGet({ 'things/new': ALICE });
const documentOfBob = respondBatchGet({ 'things/new': { artistId: { stringValue: 'bob' } } });
const documentWithoutOwner = respondBatchGet({ 'things/new': {} });
const deletedDocument = respondBatchGet({ 'things/new': undefined });
const EXISTS_ERROR = 'Error: The document exists already.';
const UNAVAILABLE_ERROR = 'Error: The service is temporarily unavailable.';

test.each<{
  name: string;
  responses: Responder[];
  result: string;
  commits: number;
  mayHaveWritten: boolean;
}>([
  {
    name: 'creates the document',
    responses: [respondCommit()],
    result: 'new',
    commits: 1,
    mayHaveWritten: true,
  },
  {
    name: 'commits again after a lost response',
    responses: [resetConnection, respondCommit()],
    result: 'new',
    commits: 2,
    mayHaveWritten: true,
  },
  {
    name: 'returns the ID if the document of the caller exists',
    responses: [alreadyExists, documentOfAlice],
    result: 'new',
    commits: 1,
    mayHaveWritten: false,
  },
  {
    name: 'returns the ID if the document of the caller exists after an unknown outcome',
    responses: [resetConnection, alreadyExists, documentOfAlice],
    result: 'new',
    commits: 2,
    mayHaveWritten: true,
  },
  {
    name: 'rejects the document of another user',
    responses: [alreadyExists, documentOfBob],
    result: EXISTS_ERROR,
    commits: 1,
    mayHaveWritten: false,
  },
  {
    name: 'is unavailable if a document of another user exists after an unknown outcome',
    responses: [unavailable, alreadyExists, documentOfBob],
    result: UNAVAILABLE_ERROR,
    commits: 2,
    mayHaveWritten: true,
  },
  {
    name: 'rejects a document without an owner',
    responses: [alreadyExists, documentWithoutOwner],
    result: EXISTS_ERROR,
    commits: 1,
    mayHaveWritten: false,
  },
  {
    name: 'commits again if the existing document was deleted meanwhile',
    responses: [alreadyExists, deletedDocument, respondCommit()],
    result: 'new',
    commits: 2,
    mayHaveWritten: true,
  },
  {
    name: 'commits again if the document was deleted after an unknown outcome',
    responses: [unavailable, alreadyExists, deletedDocument, respondCommit()],
    result: 'new',
    commits: 3,
    mayHaveWritten: true,
  },
  {
    name: 'fails if the database does not exist',
    responses: [notFound],
    result: 'FirestoreError: NOT_FOUND: HTTP 404',
    commits: 1,
    mayHaveWritten: false,
  },
  {
    name: 'is unavailable if the database does not exist after an unknown outcome',
    responses: [unavailable, notFound],
    result: UNAVAILABLE_ERROR,
    commits: 2,
    mayHaveWritten: true,
  },
])('createOwned $name', async ({ responses, result, commits, mayHaveWritten }) => {
  firestore.setResponses(...responses);

  expect(await create()).toEqual({ result, commits, mayHaveWritten });
});

test.each<{ name: string; responses: Responder[]; commits: number; mayHaveWritten: boolean }>([
  { name: 'nothing was written', responses: [alreadyExists], commits: 1, mayHaveWritten: false },
  {
    name: 'an earlier attempt may have been applied',
    responses: [resetConnection, alreadyExists],
    commits: 2,
    mayHaveWritten: true,
  },
])('if the client disconnects before the owner is read, $name', async (row) => {
  const { responses, commits, mayHaveWritten } = row;
  const context = new RequestContext();
  const disconnect = () => {
    context.disconnect();
  };
  firestore.setResponses(...responses, disconnect);

  expect(await create(context)).toEqual({
    result: expect.stringMatching(/^Error: /) as string,
    commits,
    mayHaveWritten,
  });
});

test('a new document has its creator as owner, and times that are numbers', async () => {
  jest.spyOn(Date, 'now').mockReturnValue(1_000);
  firestore.setResponses(respondCommit());

  const values = { artistId: 'bob', order: undefined, from: 5 };
  const owned = { collection: things, id: 'new', caller: 'alice' };
  await firestore.runInRequest(() => createOwned(owned, values, ['updatedAt']));

  const times = { from: { integerValue: '5' }, updatedAt: { integerValue: '1000' } };
  expect(firestore.requests[0]?.body).toEqual({
    writes: [
      {
        update: { name: toDocumentName('things/new'), fields: { ...ALICE, ...times } },
        currentDocument: { exists: false },
      },
    ],
  });
});

test.each([
  { name: 'the endpoint does not declare createsDocument', id: undefined as unknown as string },
  { name: 'the ID is not a document ID', id: 'a/b' },
])('createOwned sends nothing if $name', async ({ id }) => {
  firestore.setResponses();
  const create = () => createOwned({ collection: things, id, caller: 'alice' }, {}, []);

  await expect(firestore.runInRequest(create)).rejects.toThrow('declare `createsDocument: true`');
  expect(firestore.requests).toEqual([]);
});

test('updateOwned sets updatedAt to the server’s time, in the stored format', async () => {
  const stored = [
    { integerValue: '9000000000000' },
    { timestampValue: '2030-01-15T12:00:00.123456Z' },
    { doubleValue: 1e300 },
    { stringValue: '2000' },
  ];
  const documents = stored.map(
    (updatedAt, id) => [`things/${id}`, { ...ALICE, updatedAt }] as const,
  );
  let now = 1_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const read: Responder = (...call) => {
    now += 1_000;
    respondBatchGet(Object.fromEntries(documents))(...call);
  };
  firestore.setResponses(read, respondError('FAILED_PRECONDITION'), read, respondCommit(4));

  await firestore.runInRequest(() =>
    updateOwned(createOwnedByAlice(['0', '1', '2', '3']), () => ({})),
  );

  const number = { update: { fields: { updatedAt: { integerValue: '3000' } } } };
  const timestamp = {
    update: { fields: { updatedAt: { timestampValue: '1970-01-01T00:00:03.000000Z' } } },
  };
  expect(firestore.requests[3]?.body).toMatchObject({
    writes: [number, timestamp, number, number],
  });
});

test.each([
  { name: 'an update', write: () => updateOwned(createOwnedByAlice(['a']), () => ({ order: 1 })) },
  { name: 'a deletion', write: () => deleteOwned(createOwnedByAlice(['a'])) },
])('$name has the precondition that the document has not changed', async ({ write }) => {
  firestore.setResponses(respondBatchGet({ 'things/a': ALICE }), respondCommit());

  await firestore.runInRequest(write);

  const updateTime = expect.any(String) as string;
  expect(firestore.requests[1]?.body).toMatchObject({
    writes: [{ currentDocument: { updateTime } }],
  });
});

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
  firestore.setResponses(respondBatchGet(Object.fromEntries(stored)));

  await expect(
    firestore.runInRequest(() => deleteOwned(createOwnedByAlice(ids))),
  ).rejects.toMatchObject({
    code,
    message: `ids[499] refers to a document that ${problem}.`,
  });
});
