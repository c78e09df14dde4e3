/** How documents are changed, and why not; test/service/contract has conflicts and deletions, too. */
import { HttpsError } from 'firebase-functions/https';
import { namedOnce, updateOwned } from '../../functions/src/firestore/ownedDocuments.ts';
import { RequestContext } from '../../functions/src/platform/requestContext.ts';
import { committed, documents, nameOf, scriptedFirestore } from '../support/scriptedFirestore.ts';

const firestore = scriptedFirestore();

const ALICE = { artistId: { stringValue: 'alice' } };
const BOB = { artistId: { stringValue: 'bob' } };

/** Stored documents of one collection, by id. */
function stored(things: Parameters<typeof documents>[0]) {
  const paths = Object.entries(things).map(([id, fields]) => [`things/${id}`, fields] as const);
  return documents(Object.fromEntries(paths));
}

/** What was sent: the fields of each read, the writes of each commit. */
function sent(): unknown[] {
  return firestore.seen.map(({ body }) => {
    const { mask, writes } = body as { mask?: { fieldPaths: string[] }; writes?: unknown[] };
    return writes ?? mask?.fieldPaths;
  });
}

function update(id: string, value: number) {
  return {
    update: { name: nameOf(`things/${id}`), fields: { n: { integerValue: String(value) } } },
    updateMask: { fieldPaths: ['n', 'gone'] },
    currentDocument: { updateTime: 'one' },
  };
}

const VALUES: Readonly<Record<string, number>> = { a: 1, b: 2 };
/** The fields that are read before an update. */
const READ = ['artistId', 'updatedAt'];
const MISSING = 'ids[1] names a document that does not exist.';
const FOREIGN = 'ids[1] names a document that is not yours.';

/** Updates documents of Alice's with these ids. */
async function updateThings(ids: readonly string[], requireMore?: () => void): Promise<void> {
  const owned = { collection: 'things', named: namedOnce('ids', ids), owner: 'alice' };
  const change = ({ id }: { id: string }) => ({ n: VALUES[id], gone: undefined });
  await firestore.within(() => updateOwned(owned, change, requireMore));
}

test('a list of ids names each document once, by its first place', () => {
  expect(namedOnce('ids', ['a', 'b', 'a', 'c'])).toEqual([
    { id: 'a', field: 'ids[0]' },
    { id: 'b', field: 'ids[1]' },
    { id: 'c', field: 'ids[3]' },
  ]);
});

test('documents are updated all at once, on condition that they have not changed since', async () => {
  firestore.play(stored({ b: ALICE, a: ALICE }), committed(2));

  await updateThings(['a', 'b']);

  expect(sent()).toEqual([READ, [update('a', 1), update('b', 2)]]);
});

test.each([
  ['the request began, if the stored times are earlier', [{ integerValue: '5' }, {}], 1_000],
  ['was stored last, if that is later', [{ integerValue: '2000' }, { doubleValue: 7 }], 2_000],
  ['was stored as a timestamp', [{ timestampValue: '1970-01-01T00:00:03Z' }, {}], 3_000],
  [
    'was stored as a timestamp, rounded up',
    [{ timestampValue: '1970-01-01T00:00:03.000001Z' }, {}],
    3_001,
  ],
  [
    'the request began, if what is stored is no time',
    [{ stringValue: '2000' }, { doubleValue: 1e300 }],
    1_000,
  ],
])('all documents get one time: when it %s', async (_what, [a = {}, b = {}], updatedAt) => {
  firestore.play(
    stored({ a: { ...ALICE, updatedAt: a }, b: { ...ALICE, updatedAt: b } }),
    committed(2),
  );
  const context = Object.assign(new RequestContext(), { startedAt: 1_000 });
  const owned = { collection: 'things', named: namedOnce('ids', ['a', 'b']), owner: 'alice' };
  const change = jest.fn(() => ({}));

  await firestore.within(() => updateOwned(owned, change), context);

  expect(change.mock.calls).toEqual(owned.named.map((named) => [named, updatedAt]));
});

test.each<[string, Parameters<typeof stored>[0], string, string]>([
  ['is missing, even if another one is foreign', { a: BOB, b: undefined }, 'not-found', MISSING],
  ['has another owner', { a: ALICE, b: BOB }, 'permission-denied', FOREIGN],
  ['has no owner', { a: ALICE, b: {} }, 'permission-denied', FOREIGN],
  [
    'has a strange owner',
    { a: ALICE, b: { artistId: { integerValue: '7' } } },
    'permission-denied',
    FOREIGN,
  ],
  ['is refused by the caller’s own check', { a: ALICE, b: ALICE }, 'permission-denied', 'No.'],
])('no document is updated if one %s', async (_what, things, code, message) => {
  firestore.play(stored(things));
  const check = () => {
    throw new HttpsError('permission-denied', 'No.');
  };

  await expect(updateThings(['a', 'b'], check)).rejects.toMatchObject({ code, message });
  expect(sent()).toHaveLength(1);
});
