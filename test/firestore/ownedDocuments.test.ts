/** How documents are changed, and why not; test/service/contract has conflicts and deletions, too. */
import { HttpsError } from 'firebase-functions/https';
import { namedOnce, updateOwned } from '../../functions/src/firestore/ownedDocuments.ts';
import { RequestContext } from '../../functions/src/platform/requestContext.ts';
import { committed, documents, nameOf, scriptedFirestore } from '../support/scriptedFirestore.ts';

const firestore = scriptedFirestore();

const ALICE = { artistId: { stringValue: 'alice' } };
const BOB = { artistId: { stringValue: 'bob' } };

/** Stored documents of one collection, by id; all have the same version. */
function stored(things: Parameters<typeof documents>[0], updateTime = 'one') {
  const ids = Object.entries(things).map(([id, fields]) => [`things/${id}`, fields] as const);
  const versions = ids.map(([path]) => [path, { updateTime }] as const);
  return documents(Object.fromEntries(ids), Object.fromEntries(versions));
}

/** What was sent: the fields of each read, the writes of each commit. */
function sent(): unknown[] {
  return firestore.seen.map(({ body }) => {
    const { mask, writes } = body as { mask?: { fieldPaths: string[] }; writes?: unknown[] };
    return writes ?? mask?.fieldPaths;
  });
}

function update(id: string, value: number, updateTime = 'one') {
  return {
    update: { name: nameOf(`things/${id}`), fields: { n: { integerValue: String(value) } } },
    updateMask: { fieldPaths: ['n', 'gone'] },
    currentDocument: { updateTime },
  };
}

const owned = (...ids: string[]) => ({
  collection: 'things',
  named: namedOnce('ids', ids),
  owner: 'alice',
});
const VALUES: Readonly<Record<string, number>> = { a: 1, b: 2 };
/** The fields that are read before an update. */
const READ = ['artistId', 'updatedAt'];
const change = ({ id }: { id: string }) => ({ n: VALUES[id], gone: undefined });

test('a list of ids names each document once, by its first place', () => {
  expect(namedOnce('ids', ['a', 'b', 'a', 'c'])).toEqual([
    { id: 'a', field: 'ids[0]' },
    { id: 'b', field: 'ids[1]' },
    { id: 'c', field: 'ids[3]' },
  ]);
});

describe('documents are updated', () => {
  test('all at once, on condition that they have not changed since they were read', async () => {
    firestore.play(stored({ b: ALICE, a: ALICE }), committed(2));

    await firestore.within(() => updateOwned(owned('a', 'b'), change));

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
  ])('with one time for all: when it %s', async (_what, [a = {}, b = {}], updatedAt) => {
    firestore.play(
      stored({ a: { ...ALICE, updatedAt: a }, b: { ...ALICE, updatedAt: b } }),
      committed(2),
    );
    const context = Object.assign(new RequestContext(), { startedAt: 1_000 });
    const times: number[] = [];

    await firestore.within(
      () =>
        updateOwned(owned('a', 'b'), (_named, time) => {
          times.push(time);
          return {};
        }),
      context,
    );

    expect(times).toEqual([updatedAt, updatedAt]);
  });

  test('not at all if one is missing, even if another one is foreign', async () => {
    firestore.play(stored({ a: BOB, b: undefined }));

    await expect(firestore.within(() => updateOwned(owned('a', 'b'), change))).rejects.toEqual(
      new HttpsError('not-found', 'ids[1] names a document that does not exist.'),
    );
    expect(sent()).toHaveLength(1);
  });

  test.each([
    ['another', BOB],
    ['no', {}],
    ['a strange', { artistId: { integerValue: '7' } }],
  ])('not at all if one has %s owner', async (_what, fields) => {
    firestore.play(stored({ a: ALICE, b: fields }));

    await expect(firestore.within(() => updateOwned(owned('a', 'b'), change))).rejects.toEqual(
      new HttpsError('permission-denied', 'ids[1] names a document that is not yours.'),
    );
    expect(sent()).toHaveLength(1);
  });

  test('not at all if the caller’s own check fails, which comes last', async () => {
    const check = () => {
      throw new HttpsError('permission-denied', 'No.');
    };
    firestore.play(stored({ a: ALICE }), stored({ a: BOB }));

    await expect(firestore.within(() => updateOwned(owned('a'), change, check))).rejects.toThrow(
      'No.',
    );
    await expect(firestore.within(() => updateOwned(owned('a'), change, check))).rejects.toThrow(
      'not yours',
    );
    expect(sent()).toHaveLength(2);
  });
});
