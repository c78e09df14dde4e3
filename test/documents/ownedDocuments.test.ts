/** How documents are changed; test/contract has why not, and conflicts and deletions, too. */
import { namedOnce, updateOwned } from '../../functions/src/documents/ownedDocuments.ts';
import { RequestContext } from '../../functions/src/platform/requestContext.ts';
import { committed, documents, scriptedFirestore } from '../support/scriptedFirestore.ts';

const firestore = scriptedFirestore();

const ALICE = { artistId: { stringValue: 'alice' } };

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
    documents({
      'things/a': { ...ALICE, updatedAt: a },
      'things/b': { ...ALICE, updatedAt: b },
    }),
    committed(2),
  );
  const context = Object.assign(new RequestContext(), { startedAt: 1_000 });
  const owned = { collection: 'things', named: namedOnce('ids', ['a', 'b']), owner: 'alice' };
  const change = jest.fn(() => ({}));

  await firestore.within(() => updateOwned(owned, change), context);

  expect(change.mock.calls).toEqual(owned.named.map((named) => [named, updatedAt]));
});
