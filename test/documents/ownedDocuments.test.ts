/** How documents are changed; test/contract has why not, and conflicts and deletions, too. */
import * as z from 'zod';
import {
  deleteOwned,
  namedOnce,
  updateOwned,
} from '../../functions/src/documents/ownedDocuments.ts';
import { StoredNames } from '../../functions/src/documents/storedNames.ts';
import { RequestContext } from '../../functions/src/platform/requestContext.ts';
import { committed, documents, scriptedFirestore } from '../support/scriptedFirestore.ts';
import { resets } from '../../dev/shared/scriptedServer.ts';

const firestore = scriptedFirestore();

const names = new StoredNames(z.object({}));
const ALICE = { artistId: { stringValue: 'alice' } };

function ownedByAlice(ids: readonly string[]) {
  return { collection: 'things', names, named: namedOnce('ids', ids), owner: 'alice' };
}

test('a list of ids names each document once, by its first place', () => {
  expect(namedOnce('ids', ['a', 'b', 'a', 'c'])).toEqual([
    { id: 'a', field: 'ids[0]' },
    { id: 'b', field: 'ids[1]' },
    { id: 'c', field: 'ids[3]' },
  ]);
});

test.each([
  ['the request began, if the stored times are earlier', [{ integerValue: '5' }, {}], 1_000],
  ['was stored last, if that is later', [{ integerValue: '2000' }, { doubleValue: 7 }], 2_000],
  ['was stored as a timestamp', [{ timestampValue: '1970-01-01T00:00:03.120Z' }, {}], 3_120],
  ['was stored as a fraction, rounded up', [{ doubleValue: 2_000.1 }, {}], 2_001],
  [
    'the request began, if what is stored is no time',
    [{ stringValue: '2000' }, { doubleValue: 1e300 }],
    1_000,
  ],
])('all documents get one time: when it %s', async (_what, [a = {}, b = {}], updatedAt) => {
  firestore.play(
    documents({ 'things/a': { ...ALICE, updatedAt: a }, 'things/b': { ...ALICE, updatedAt: b } }),
    committed(2),
  );
  const context = Object.assign(new RequestContext(), { startedAt: 1_000 });

  await firestore.within(
    () => updateOwned(ownedByAlice(['a', 'b']), (_named, now) => ({ updatedAt: now })),
    context,
  );

  const update = { fields: { updatedAt: { integerValue: String(updatedAt) } } };
  expect(firestore.seen[1]?.body).toMatchObject({ writes: [{ update }, { update }] });
});

test('a document that a lost commit would have left as it was does not show that it was applied', async () => {
  const listing = (order: string) => ({
    ...ALICE,
    order: { integerValue: order },
    updatedAt: { integerValue: '9000' },
  });
  const before = { 'things/a': listing('7'), 'things/b': listing('1') };
  // Another program has changed another field of both.
  const later = { 'things/a': { updateTime: 'two' }, 'things/b': { updateTime: 'two' } };
  firestore.play(documents(before), resets, documents(before, later));
  const context = Object.assign(new RequestContext(), { startedAt: 1_000 });

  const reordered = firestore.within(
    () =>
      updateOwned(ownedByAlice(['a', 'b']), ({ id }, updatedAt) => ({
        order: ['a', 'b'].indexOf(id),
        updatedAt,
      })),
    context,
  );

  await expect(reordered).rejects.toMatchObject({ code: 'unavailable' });
  expect(context.mayHaveWritten).toBe(true);
});

test.each([
  ['permission-denied', { artistId: { stringValue: 'bob' } }, 'is not yours'],
  ['not-found', undefined, 'does not exist'],
])('the last of 500 documents is checked like the first: %s', async (code, last, why) => {
  const ids = Array.from({ length: 500 }, (_, index) => `${index}`);
  const stored = ids.map((id) => [`things/${id}`, id === '499' ? last : ALICE] as const);
  firestore.play(documents(Object.fromEntries(stored)));

  await expect(firestore.within(() => deleteOwned(ownedByAlice(ids)))).rejects.toMatchObject({
    code,
    message: `ids[499] names a document that ${why}.`,
  });
});
