/** Creations of owned documents. test/contract tests rejections. */
import * as z from 'zod';
import { RequestContext } from '@tattoo-marketplace/endpoints';
import { createOwned } from './createOwned.ts';
import { defineCollection } from './defineCollection.ts';
import { storedTime } from './times.ts';
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

/** Creates a thing of alice in a request. */
async function create(context = new RequestContext()) {
  const owned = { collection: things, id: 'new', callerId: 'alice' };
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
const OUTCOME_UNKNOWN_ERROR = expect.stringMatching(
  /^Error: The service could not confirm the change/,
) as string;

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
    name: 'has an unknown outcome if a document of another user exists after an unknown outcome',
    responses: [unavailable, alreadyExists, documentOfBob],
    result: OUTCOME_UNKNOWN_ERROR,
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
    name: 'has an unknown outcome if the owner of the document cannot be read after an unknown outcome',
    responses: [unavailable, alreadyExists, respondError('PERMISSION_DENIED', 403)],
    result: OUTCOME_UNKNOWN_ERROR,
    commits: 2,
    mayHaveWritten: true,
  },
  {
    name: 'has an unknown outcome if the database does not exist after an unknown outcome',
    responses: [unavailable, notFound],
    result: OUTCOME_UNKNOWN_ERROR,
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
  const owned = { collection: things, id: 'new', callerId: 'alice' };
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

test('a document in a subcollection is created in it', async () => {
  const parts = defineCollection('things/{thingId}/parts', DECLARATION);
  const part = { collection: parts, params: { thingId: 't' }, id: 'new', callerId: 'alice' };
  firestore.setResponses(respondCommit());

  await firestore.runInRequest(() => createOwned(part, {}, []));

  expect(firestore.requests[0]?.body).toMatchObject({
    writes: [{ update: { name: toDocumentName('things/t/parts/new') } }],
  });
});

test.each([
  { name: 'the endpoint does not declare createsDocument', id: undefined as unknown as string },
  { name: 'the ID is not a document ID', id: 'a/b' },
])('createOwned sends nothing if $name', async ({ id }) => {
  firestore.setResponses();
  const create = () => createOwned({ collection: things, id, callerId: 'alice' }, {}, []);

  await expect(firestore.runInRequest(create)).rejects.toThrow('declare `createsDocument: true`');
  expect(firestore.requests).toEqual([]);
});
