/** How documents are changed optimistically: all or none, only by their owner, whatever happens to a commit. */
import { HttpsError } from 'firebase-functions/https';
import { changeDocument } from '../../functions/src/firestore/optimistic.ts';
import {
  deleteOwned,
  namedOnce,
  updateOwned,
} from '../../functions/src/firestore/ownedDocuments.ts';
import { inContext, newUsage } from '../../functions/src/requestContext.ts';
import {
  byKind,
  committed,
  conflict,
  documents,
  nameOf,
  scriptedFirestore,
} from '../support/scriptedFirestore.ts';
import { resets } from '../support/scriptedServer.ts';

const firestore = scriptedFirestore();

const ALICE = { artistId: { stringValue: 'alice' } };
const BOB = { artistId: { stringValue: 'bob' } };

/** Stored documents of one collection, by id. */
function stored(things: Parameters<typeof documents>[0], updateTime?: string) {
  const byPath = Object.entries(things).map(([id, fields]) => [`things/${id}`, fields] as const);
  return documents(Object.fromEntries(byPath), updateTime);
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

function deletion(id: string, updateTime = 'one') {
  return { delete: nameOf(`things/${id}`), currentDocument: { updateTime } };
}

const owned = (...ids: string[]) => ({
  collection: 'things',
  named: namedOnce('ids', ids),
  owner: 'alice',
});
const VALUES: Readonly<Record<string, number>> = { a: 1, b: 2 };
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

    expect(sent()).toEqual([['artistId'], [update('a', 1), update('b', 2)]]);
  });

  test('after a conflict as they are then', async () => {
    firestore.play(stored({ a: ALICE }), conflict, stored({ a: ALICE }, 'two'), committed(1));

    await firestore.within(() => updateOwned(owned('a'), change));

    expect(sent()).toEqual([['artistId'], [update('a', 1)], ['artistId'], [update('a', 1, 'two')]]);
  });

  test('once, if a commit without a response turns out to have succeeded', async () => {
    const changed = { ...ALICE, n: { integerValue: '1' } };
    firestore.play(stored({ a: ALICE }), resets, stored({ a: changed }, 'two'));

    await firestore.within(() => updateOwned(owned('a'), change));

    expect(sent()).toEqual([['artistId'], [update('a', 1)], ['artistId', 'n', 'gone']]);
  });

  test.each([
    ['has another value', { n: { integerValue: '2' } }],
    ['lacks the value', {}],
    ['still has a field to remove', { n: { integerValue: '1' }, gone: { nullValue: null } }],
  ])('again, if after a commit without a response one %s', async (_what, fields) => {
    const changed = { ...ALICE, n: { integerValue: '2' } };
    firestore.play(
      stored({ a: ALICE, b: ALICE }),
      resets,
      stored({ a: { ...ALICE, ...fields }, b: changed }, 'two'),
      committed(1),
    );

    await firestore.within(() => updateOwned(owned('a', 'b'), change));

    expect(sent().at(-1)).toEqual([update('a', 1, 'two')]);
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

describe('documents are deleted', () => {
  test('all at once, on condition that they have not changed since they were read', async () => {
    firestore.play(stored({ a: ALICE, b: ALICE }), committed(2));

    await firestore.within(() => deleteOwned(owned('a', 'b')));

    expect(sent()).toEqual([['artistId'], [deletion('a'), deletion('b')]]);
  });

  test('once, if a commit without a response turns out to have succeeded', async () => {
    firestore.play(stored({ a: ALICE, b: ALICE }), resets, stored({ a: undefined, b: undefined }));

    await firestore.within(() => deleteOwned(owned('a', 'b')));

    expect(sent()).toHaveLength(3);
  });

  test('again, if they are still there after a commit without a response', async () => {
    firestore.play(
      stored({ a: ALICE, b: ALICE }),
      resets,
      stored({ a: undefined, b: ALICE }, 'two'),
      conflict,
      stored({ b: ALICE }, 'three'),
      committed(1),
    );

    await firestore.within(() => deleteOwned(owned('a', 'b')));

    expect(sent().at(-1)).toEqual([deletion('b', 'three')]);
  });

  test('by somebody else after a conflict: then they do not exist', async () => {
    firestore.play(stored({ a: ALICE }), conflict, stored({ a: undefined }));

    await expect(firestore.within(() => deleteOwned(owned('a')))).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  test('not at all if one belongs to somebody else', async () => {
    firestore.play(stored({ a: ALICE, b: BOB }));

    await expect(firestore.within(() => deleteOwned(owned('a', 'b')))).rejects.toMatchObject({
      code: 'permission-denied',
    });
    expect(sent()).toHaveLength(1);
  });
});

describe('one document', () => {
  test('is changed by what it stores, and is told of a commit without a response', async () => {
    firestore.play(
      stored({ a: { n: { integerValue: '7' } } }),
      resets,
      stored({ a: { n: { integerValue: '8' } } }, 'two'),
      committed(1),
    );
    const seen: unknown[] = [];

    await firestore.within(() =>
      changeDocument('things/a', ['n'], (fields, mayBeDone) => {
        seen.push([fields, mayBeDone]);
        return { n: 1, gone: undefined };
      }),
    );

    expect(seen).toEqual([
      [{ n: { integerValue: '7' } }, false],
      [{ n: { integerValue: '8' } }, true],
    ]);
    expect(sent()).toEqual([['n'], [update('a', 1)], ['n'], [update('a', 1, 'two')]]);
  });

  test.each([
    ['there is nothing to change', {}],
    ['it does not exist', undefined],
  ])('is not written if %s', async (_what, fields) => {
    firestore.play(stored({ a: fields }));

    await firestore.within(() =>
      changeDocument('things/a', ['n'], (found) => (found ? undefined : { n: 1 })),
    );

    expect(sent()).toEqual([['n']]);
  });

  test('is not written after the deadline', async () => {
    firestore.play(byKind({ batchGet: stored({ a: ALICE }), commit: conflict }));
    const signal = AbortSignal.timeout(100);

    await expect(
      inContext({ usage: newUsage(), signal }, () => changeDocument('things/a', ['n'], () => ({}))),
    ).rejects.toMatchObject({ code: 'unavailable' });
  });
});
