/** How documents are created and changed; test/contract has why not, and conflicts and deletions, too. */
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
  return { collection: things, documents: listUniqueDocuments('ids', ids), caller: 'alice' };
}

test('documents in a collection below another are created and changed there', async () => {
  const parts = defineCollection('things/{thingId}/parts', declared);
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
  // Each sending is the very same.
  expect(new Set(commits.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  return `${result}, after ${commits.length}${context.mayHaveWritten ? ', may be written' : ''}`;
}

const fails = respondError('UNAVAILABLE', 503);
const taken = respondError('ALREADY_EXISTS', 409);
const mine = respondBatchGet({ 'things/new': ALICE });
const bobs = respondBatchGet({ 'things/new': { artistId: { stringValue: 'bob' } } });
const nobodys = respondBatchGet({ 'things/new': {} });
const gone = respondBatchGet({ 'things/new': undefined });
const EXISTS = 'Error: The document exists already.';
const UNAVAILABLE = 'Error: The service is temporarily unavailable.';

test.each<{ name: string; reactions: Responder[]; expected: string }>([
  { name: 'nothing', reactions: [respondCommit()], expected: 'new, after 1, may be written' },
  {
    name: 'a lost response',
    reactions: [resetConnection, respondCommit()],
    expected: 'new, after 2, may be written',
  },
  {
    name: 'its own document, with an unknown outcome',
    reactions: [resetConnection, taken, mine],
    expected: 'new, after 2, may be written',
  },
  {
    name: 'another’s, with an unknown outcome',
    reactions: [fails, taken, bobs],
    expected: `${UNAVAILABLE}, after 2, may be written`,
  },
  {
    name: 'a deleted one, with an unknown outcome',
    reactions: [fails, taken, gone, respondCommit()],
    expected: 'new, after 3, may be written',
  },
  { name: 'its own document', reactions: [taken, mine], expected: 'new, after 1' },
  { name: 'another’s', reactions: [taken, bobs], expected: `${EXISTS}, after 1` },
  { name: 'one without owner', reactions: [taken, nobodys], expected: `${EXISTS}, after 1` },
  {
    name: 'a deleted one',
    reactions: [taken, gone, respondCommit()],
    expected: 'new, after 2, may be written',
  },
  {
    name: 'no database',
    reactions: [respondError('NOT_FOUND', 404)],
    expected: 'FirestoreError: NOT_FOUND: HTTP 404, after 1',
  },
  {
    name: 'none, with an unknown outcome',
    reactions: [fails, respondError('NOT_FOUND')],
    expected: `${UNAVAILABLE}, after 2, may be written`,
  },
])(
  'createOwned is applied at most once when it encounters $name',
  async ({ reactions, expected }) => {
    firestore.setResponses(...reactions);

    expect(await create()).toBe(expected);
  },
);

test.each<{ name: string; reactions: Responder[]; expected: RegExp }>([
  { name: 'nothing was written', reactions: [taken], expected: /^Error: .*, after 1$/ },
  {
    name: 'the outcome is unknown',
    reactions: [resetConnection, taken],
    expected: /^Error: .*, after 2, may be written$/,
  },
])('if a creation ends before the owner is read, $name', async ({ reactions, expected }) => {
  const context = new RequestContext();
  const leaves = () => {
    context.disconnect();
  };
  firestore.setResponses(...reactions, leaves);

  expect(await create(context)).toMatch(expected);
});

test.each([
  {
    name: 'numbers',
    collection: things,
    updatedAt: { integerValue: '1000' },
    from: { integerValue: '5' },
  },
  {
    name: 'Timestamps, if its collection says so',
    collection: defineCollection('stampedThings', { ...declared, storesTimestamps: true }),
    updatedAt: { timestampValue: '1970-01-01T00:00:01.000000Z' },
    from: { timestampValue: '1970-01-01T00:00:00.005000Z' },
  },
])(
  'a new document has its creator as owner, and times that are $name',
  async ({ collection, updatedAt, from }) => {
    jest.spyOn(Date, 'now').mockReturnValue(1_000);
    firestore.setResponses(respondCommit());

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
  },
);

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
    respondBatchGet(Object.fromEntries(found))(...call);
  };
  firestore.setResponses(read, respondError('FAILED_PRECONDITION'), read, respondCommit(4));

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
  firestore.setResponses(respondBatchGet({ 'things/a': ALICE }), respondCommit());

  await firestore.runInRequest(write);

  const updateTime = expect.any(String) as string;
  expect(firestore.requests[1]?.body).toMatchObject({
    writes: [{ currentDocument: { updateTime } }],
  });
});

test.each([
  { code: 'permission-denied', last: { artistId: { stringValue: 'bob' } }, why: 'you do not own' },
  { code: 'not-found', last: undefined, why: 'does not exist' },
])('the last of 500 documents is checked like the first: $code', async ({ code, last, why }) => {
  const ids = Array.from({ length: 500 }, (_, index) => `${index}`);
  const stored = ids.map((id) => [`things/${id}`, id === '499' ? last : ALICE] as const);
  firestore.setResponses(respondBatchGet(Object.fromEntries(stored)));

  await expect(firestore.runInRequest(() => deleteOwned(ownedByAlice(ids)))).rejects.toMatchObject({
    code,
    message: `ids[499] refers to a document that ${why}.`,
  });
});
