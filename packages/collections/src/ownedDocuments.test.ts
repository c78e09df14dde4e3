/** How documents are created and changed; test/contract has why not, and conflicts and deletions, too. */
import * as z from 'zod';
import { createOwned, deleteOwned, updateOwned } from './ownedDocuments.ts';
import { defineCollection } from './defineCollection.ts';
import { uniqueDocuments } from './requestedDocument.ts';
import { storedTime } from './storedTime.ts';
import { RequestContext } from '@tattoo-marketplace/endpoints';
import {
  commitResponse,
  batchGetResponse,
  parseMethod,
  toDocumentName,
  errorResponse,
  useStubFirestore,
} from '../../../dev/testing/stubFirestore.ts';
import { resetConnection, type Responder } from '../../../dev/testing/stubServer.ts';

const firestore = useStubFirestore();

const declared = {
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
const things = defineCollection('things', declared);
const ALICE = { artistId: { stringValue: 'alice' } };

function ownedByAlice(ids: readonly string[]) {
  return { collection: things, documents: uniqueDocuments('ids', ids), caller: 'alice' };
}

test('documents in a collection below another are created and changed there', async () => {
  const parts = defineCollection('things/{thingId}/parts', declared);
  const owned = { collection: parts, documents: uniqueDocuments('ids', ['p']), caller: 'alice' };
  const change = () => updateOwned({ ...owned, params: { thingId: 't' } }, () => ({ order: 1 }));
  firestore.setResponses(batchGetResponse({ 'things/t/parts/p': ALICE }), commitResponse());

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
  // Each sending is the very same.
  expect(new Set(commits.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  return `${result}, after ${commits.length}${context.mayHaveWritten ? ', may be written' : ''}`;
}

const fails = errorResponse('UNAVAILABLE', 503);
const taken = errorResponse('ALREADY_EXISTS', 409);
const mine = batchGetResponse({ 'things/new': ALICE });
const bobs = batchGetResponse({ 'things/new': { artistId: { stringValue: 'bob' } } });
const nobodys = batchGetResponse({ 'things/new': {} });
const gone = batchGetResponse({ 'things/new': undefined });
const EXISTS = 'Error: The document exists already.';
const UNAVAILABLE = 'Error: The service is temporarily unavailable.';

test.each<[string, Responder[], string]>([
  ['nothing', [commitResponse()], 'new, after 1, may be written'],
  ['a lost response', [resetConnection, commitResponse()], 'new, after 2, may be written'],
  ['its own document, in doubt', [resetConnection, taken, mine], 'new, after 2, may be written'],
  ['another’s, in doubt', [fails, taken, bobs], `${UNAVAILABLE}, after 2, may be written`],
  [
    'a deleted one, in doubt',
    [fails, taken, gone, commitResponse()],
    'new, after 3, may be written',
  ],
  ['its own document', [taken, mine], 'new, after 1'],
  ['another’s', [taken, bobs], `${EXISTS}, after 1`],
  ['one without owner', [taken, nobodys], `${EXISTS}, after 1`],
  ['a deleted one', [taken, gone, commitResponse()], 'new, after 2, may be written'],
  [
    'no database',
    [errorResponse('NOT_FOUND', 404)],
    'FirestoreError: NOT_FOUND: HTTP 404, after 1',
  ],
  [
    'none, in doubt',
    [fails, errorResponse('NOT_FOUND')],
    `${UNAVAILABLE}, after 2, may be written`,
  ],
])(
  'createOwned is applied at most once when it encounters %s',
  async (_what, reactions, expected) => {
    firestore.setResponses(...reactions);

    expect(await create()).toBe(expected);
  },
);

test.each<[string, Responder[], RegExp]>([
  ['nothing was written', [taken], /^Error: .*, after 1$/],
  ['nobody knows', [resetConnection, taken], /^Error: .*, after 2, may be written$/],
])('if a creation ends before the owner is read, %s', async (_what, reactions, expected) => {
  const context = new RequestContext();
  const leaves = () => {
    context.disconnect();
  };
  firestore.setResponses(...reactions, leaves);

  expect(await create(context)).toMatch(expected);
});

test.each([
  ['numbers', things, { integerValue: '1000' }, { integerValue: '5' }],
  [
    'Timestamps, if its collection says so',
    defineCollection('stampedThings', { ...declared, storesTimestamps: true }),
    { timestampValue: '1970-01-01T00:00:01.000000Z' },
    { timestampValue: '1970-01-01T00:00:00.005000Z' },
  ],
])('a new document has its creator as owner, and times that are %s', async (...row) => {
  const [, collection, updatedAt, from] = row;
  jest.spyOn(Date, 'now').mockReturnValue(1_000);
  firestore.setResponses(commitResponse());

  const values = { artistId: 'bob', order: undefined, from: 5 };
  const owned = { collection, id: 'new', caller: 'alice' };
  await firestore.runInRequest(() => createOwned(owned, values, ['updatedAt']));

  const name = toDocumentName(`${collection.path}/new`);
  expect(firestore.requests[0]?.body).toEqual({
    writes: [
      {
        update: { name, fields: { ...ALICE, from, updatedAt } },
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
  const found = stored.map((updatedAt, id) => [`things/${id}`, { ...ALICE, updatedAt }] as const);
  let now = 1_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const read: Responder = (...call) => {
    now += 1_000;
    batchGetResponse(Object.fromEntries(found))(...call);
  };
  firestore.setResponses(read, errorResponse('FAILED_PRECONDITION'), read, commitResponse(4));

  await firestore.runInRequest(() => updateOwned(ownedByAlice(['0', '1', '2', '3']), () => ({})));

  const number = { update: { fields: { updatedAt: { integerValue: '3000' } } } };
  const timestamp = {
    update: { fields: { updatedAt: { timestampValue: '1970-01-01T00:00:03.000000Z' } } },
  };
  expect(firestore.requests[3]?.body).toMatchObject({
    writes: [number, timestamp, number, number],
  });
});

test.each([
  { name: 'an update', write: () => updateOwned(ownedByAlice(['a']), () => ({ order: 1 })) },
  { name: 'a deletion', write: () => deleteOwned(ownedByAlice(['a'])) },
])('$name has the precondition that the document still has the version read', async ({ write }) => {
  firestore.setResponses(batchGetResponse({ 'things/a': ALICE }), commitResponse());

  await firestore.runInRequest(write);

  const updateTime = expect.any(String) as string;
  expect(firestore.requests[1]?.body).toMatchObject({
    writes: [{ currentDocument: { updateTime } }],
  });
});

test.each([
  ['permission-denied', { artistId: { stringValue: 'bob' } }, 'you do not own'],
  ['not-found', undefined, 'does not exist'],
])('the last of 500 documents is checked like the first: %s', async (code, last, why) => {
  const ids = Array.from({ length: 500 }, (_, index) => `${index}`);
  const stored = ids.map((id) => [`things/${id}`, id === '499' ? last : ALICE] as const);
  firestore.setResponses(batchGetResponse(Object.fromEntries(stored)));

  await expect(firestore.runInRequest(() => deleteOwned(ownedByAlice(ids)))).rejects.toMatchObject({
    code,
    message: `ids[499] refers to a document that ${why}.`,
  });
});
