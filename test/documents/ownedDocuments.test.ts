/** How documents are changed; test/contract has why not, and conflicts and deletions, too. */
import * as z from 'zod';
import {
  deleteOwned,
  namedOnce,
  requireOwner,
  updateOwned,
} from '../../functions/src/documents/ownedDocuments.ts';
import { collection } from '../../functions/src/documents/collection.ts';
import { storedTime } from '../../functions/src/times.ts';
import { committed, documents, scriptedFirestore } from '../support/scriptedFirestore.ts';
import { respondsWith, type Reaction } from '../support/scriptedServer.ts';

const firestore = scriptedFirestore();

const things = collection('things', {
  purpose: 'Things of this test.',
  schema: z.object({
    id: z.string(),
    artistId: z.string().optional(),
    order: z.number().optional(),
    updatedAt: storedTime.optional(),
  }),
  owner: 'artistId',
});
const ALICE = { artistId: { stringValue: 'alice' } };

function ownedByAlice(ids: readonly string[]) {
  return { collection: things, named: namedOnce('ids', ids), caller: 'alice' };
}

test('a list of ids names each document once, by its first place', () => {
  expect(namedOnce('ids', ['a', 'b', 'a', 'c'])).toEqual([
    { id: 'a', field: 'ids[0]' },
    { id: 'b', field: 'ids[1]' },
    { id: 'c', field: 'ids[3]' },
  ]);
});

test('all documents get the server’s time after they were read, whatever is stored, in the kind that is stored', async () => {
  const stored = [
    { integerValue: '9000000000000' },
    { timestampValue: '2030-01-15T12:00:00.123456Z' },
    { doubleValue: 1e300 },
    { stringValue: '2000' },
  ];
  const found = stored.map((updatedAt, id) => [`things/${id}`, { ...ALICE, updatedAt }] as const);
  let now = 1_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const read: Reaction = (...call) => {
    now += 1_000;
    documents(Object.fromEntries(found))(...call);
  };
  firestore.play(
    read,
    respondsWith({ error: { status: 'FAILED_PRECONDITION' } }, 400),
    read,
    committed(4),
  );

  await firestore.within(() => updateOwned(ownedByAlice(['0', '1', '2', '3']), () => ({})));

  const number = { update: { fields: { updatedAt: { integerValue: '3000' } } } };
  const timestamp = {
    update: { fields: { updatedAt: { timestampValue: '1970-01-01T00:00:03.000000Z' } } },
  };
  expect(firestore.seen[3]?.body).toMatchObject({ writes: [number, timestamp, number, number] });
});

test.each([
  ['the start of the uid', { stringValue: 'alice' }, 'alice-2'],
  ['a text that starts with the uid', { stringValue: 'alice-2' }, 'alice'],
  ['the uid in another case', { stringValue: 'Alice' }, 'alice'],
  ['a number with its digits', { integerValue: '7' }, '7'],
  ['a list with the uid', { arrayValue: { values: [{ stringValue: 'alice' }] } }, 'alice'],
  ['a reference', { referenceValue: 'users/alice' }, 'users/alice'],
  ['nothing', undefined, 'undefined'],
])('%s, stored as the owner, lets nobody pass', (_what, artistId, caller) => {
  expect(() => {
    requireOwner(artistId, caller, { id: 'a', field: 'id' });
  }).toThrow('id names a document that is not yours.');
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
