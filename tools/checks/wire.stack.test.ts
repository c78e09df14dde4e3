import type { Fields } from '@tattoo-marketplace/firestore-rest';
import { Store } from '../../functions/declared/store.ts';
import { testStack } from '../../test/support/testStack.ts';
import { openDatabase } from '../data/projectDatabase.ts';
import { wireFaults } from './wire.ts';

const PROJECT = 'demo-wire';
const PATH = 'deployChecks/1';
const { firestoreHost } = testStack();
const store = new Store(firestoreHost, PROJECT);
const write = (path: string, fields?: Fields) => store.write({ [path]: fields ?? null });

beforeAll(() => {
  process.env.FIRESTORE_EMULATOR_HOST = firestoreHost;
});

test('Firestore answers as the client expects, and the scratch document is deleted', async () => {
  const database = await openDatabase(PROJECT);

  expect(await wireFaults(database, write, PATH)).toEqual([]);
  expect(await store.everything()).toEqual({});
});

test('names what differs', async () => {
  const database = await openDatabase(PROJECT);
  const wrong = {
    ...database,
    count: () => Promise.resolve({ total: 0, reads: 1 }),
    commit: () => Promise.resolve(),
  };

  expect(await wireFaults(wrong, write, PATH)).toEqual([
    'Firestore: runAggregationQuery does not count the document.',
    'Firestore: commit stores other values.',
    'Firestore: commit of a version that is not stored any more ends with success.',
    'Firestore: commit does not delete the document.',
  ]);
  expect(await store.everything()).toEqual({});
});
