/**
 * Calls of the Admin SDK that return the same results over REST from the embedded Firestore, and over gRPC from Google's
 * emulator.
 */
import { randomUUID } from 'node:crypto';
import {
  AggregateField,
  FieldPath,
  FieldValue,
  Firestore,
  Timestamp,
  type CollectionReference,
  type DocumentData,
  type Query,
  type Transaction,
} from 'firebase-admin/firestore';
import { ADMIN_SDK_SETTINGS } from '../../../test/support/google/adminSdkSettings.ts';
import { getTestStack } from '../../../test/support/processes/testStack.ts';

const { projectId, firestoreHost: host } = getTestStack();
let firestore: Firestore;

beforeAll(async () => {
  // Only the embedded Firestore reports usage.
  const isEmbedded = (await fetch(`http://${host}/usage/${projectId}`)).ok;
  firestore = new Firestore({ projectId, host, ssl: false, ...(isEmbedded && ADMIN_SDK_SETTINGS) });
});

afterAll(() => firestore.terminate());

const DOCUMENTS: Readonly<Record<string, DocumentData>> = {
  a: { n: 1, tags: [1, 'x'], even: false },
  b: { n: 2, tags: ['y', 2], even: true },
  c: { n: 2.5, tags: [], m: { x: 2 } },
  d: { n: 'text', tags: 'x', even: true },
  e: { n: null, tags: [null] },
  f: { n: NaN },
  g: { m: { x: 1 } },
};

/** Creates a collection with these documents. */
async function createCollection(documents = DOCUMENTS): Promise<CollectionReference> {
  const collection = firestore.collection(`c-${randomUUID()}`);
  const batch = firestore.batch();
  for (const [id, data] of Object.entries(documents)) batch.create(collection.doc(id), data);
  await batch.commit();
  return collection;
}

async function readIds(query: Query): Promise<string> {
  return (await query.get()).docs.map(({ id }) => id).join('');
}

describe('a query', () => {
  let collection: CollectionReference;

  beforeAll(async () => {
    collection = await createCollection();
  });

  const id = FieldPath.documentId();

  test.each<{ name: string; build: (all: CollectionReference) => Query; ids: string }>([
    {
      name: '== by descending ids',
      build: (all) => all.where('even', '==', true).orderBy(id, 'desc'),
      ids: 'db',
    },
    { name: '== null', build: (all) => all.where('n', '==', null), ids: 'e' },
    { name: '== NaN', build: (all) => all.where('n', '==', NaN), ids: 'f' },
    { name: '<', build: (all) => all.where('n', '<', 2), ids: 'a' },
    { name: '>= with a string', build: (all) => all.where('n', '>=', 'text'), ids: 'd' },
    {
      name: 'a range of ids',
      build: (all) => all.where(id, '>', 'b').where(id, '<=', 'd'),
      ids: 'cd',
    },
    {
      name: 'ranges of two fields',
      build: (all) => all.where('n', '>', 1).where('m.x', '>', 0),
      ids: 'c',
    },
    { name: '!=', build: (all) => all.where('n', '!=', 2), ids: 'facd' },
    { name: 'in', build: (all) => all.where('n', 'in', [2.5, 1, 'text', null]), ids: 'acd' },
    { name: 'in with ids', build: (all) => all.where(id, 'in', ['c', 'a', 'z']), ids: 'ac' },
    {
      name: 'array-contains',
      build: (all) => all.where('tags', 'array-contains', 'x'),
      ids: 'a',
    },
    {
      name: 'a descending field, then descending ids',
      build: (all) => all.orderBy('even', 'desc'),
      ids: 'dba',
    },
    {
      name: 'startAt with a descending field',
      build: (all) => all.orderBy('n', 'desc').startAt(2).limit(2),
      ids: 'ba',
    },
    {
      name: 'startAt and endBefore with an ascending field',
      build: (all) => all.orderBy('n').startAt(1).endBefore(2.5),
      ids: 'ab',
    },
    {
      name: 'startAfter and endAt with a descending field',
      build: (all) => all.orderBy('n', 'desc').startAfter(2.5).endAt(1),
      ids: 'ba',
    },
    {
      name: 'startAfter with a value and an id',
      build: (all) => all.orderBy('even').orderBy(id).startAfter(true, 'b'),
      ids: 'd',
    },
  ])('finds and counts documents by $name', async ({ build, ids }) => {
    const query = build(collection);

    expect(await readIds(query)).toBe(ids);
    expect((await query.count().get()).data().count).toBe(ids.length);
  });

  test('continues after a document, in a collection group or below one document', async () => {
    const group = `g-${randomUUID()}`;
    const batch = firestore.batch();
    for (const path of ['a', 'ü é', `a/${group}/one`]) {
      batch.set(collection.doc(path).collection(group).doc('one'), { path });
    }
    await batch.commit();
    const readInTwoPages = async (query: Query) => {
      const first = await query.limit(2).get();
      const second = await query.startAfter(first.docs.at(-1)).get();
      return [...first.docs, ...second.docs].map((document) => document.get('path') as string);
    };

    const paths = ['a', `a/${group}/one`, 'ü é'];
    expect(await readInTwoPages(firestore.collectionGroup(group))).toEqual(paths);
    expect(await readInTwoPages(collection.doc('ü é').collection(group))).toEqual(['ü é']);
    expect(await readInTwoPages(collection.doc('a').collection(group))).toEqual(['a']);
  });

  test('is summed and averaged over the documents that have the fields', async () => {
    const aggregate = async (query: Query, field = 'n') => {
      const sum = AggregateField.sum(field);
      const average = AggregateField.average('n');
      return (await query.aggregate({ count: AggregateField.count(), sum, average }).get()).data();
    };

    const integers = collection.where('n', '<', 2.5);
    expect(await aggregate(integers)).toEqual({ count: 2, sum: 3, average: 1.5 });
    const strings = collection.where('n', '==', 'text');
    expect(await aggregate(strings)).toEqual({ count: 1, sum: 0, average: null });
    expect(await aggregate(collection)).toEqual({ count: 6, sum: NaN, average: NaN });
    expect(await aggregate(collection, 'm.x')).toEqual({ count: 1, sum: 2, average: 2.5 });
  });

  test('is rejected if it only sorts by descending ids', async () => {
    await expect(collection.orderBy(id, 'desc').get()).rejects.toHaveProperty('code', 9);
  });
});

test.each<{ name: string; fieldMask: (string | FieldPath)[]; fields: DocumentData }>([
  {
    name: 'a nested field, and a field whose name has a dot',
    fieldMask: ['a.b', new FieldPath('x.y')],
    fields: { a: { b: 1 }, 'x.y': '' },
  },
  {
    name: 'a map and one of its fields',
    fieldMask: ['a.b', 'a'],
    fields: { a: { b: 1, c: 2 } },
  },
  { name: 'missing fields', fieldMask: ['none', 'a.none', 'x', 'a.b.c'], fields: {} },
  { name: 'no fields', fieldMask: [], fields: {} },
])('a read and a query return only the selected fields: $name', async ({ fieldMask, fields }) => {
  const collection = await createCollection({ one: { a: { b: 1, c: 2 }, 'x.y': '' } });

  const { docs } = await collection.select(...fieldMask).get();
  const snapshots = await firestore.getAll(collection.doc('z'), collection.doc('one'), {
    fieldMask,
  });

  const data = [...snapshots, ...docs].map((document) => document.data());
  expect(data).toEqual([undefined, fields, fields]);
});

describe('a write', () => {
  const before: DocumentData = { n: 1, list: [1, 'x', 1], m: { x: 1 } };

  test.each<{ name: string; update: DocumentData; changed: DocumentData }>([
    { name: 'increments a number', update: { n: FieldValue.increment(2) }, changed: { n: 3 } },
    {
      name: 'increments a missing field from 0',
      update: { 'm.y': FieldValue.increment(-1) },
      changed: { m: { x: 1, y: -1 } },
    },
    {
      name: 'increments a value that is not a number from 0',
      update: { list: FieldValue.increment(1) },
      changed: { list: 1 },
    },
    {
      name: 'adds missing items to a list',
      update: { list: FieldValue.arrayUnion(1, 2, 2) },
      changed: { list: [1, 'x', 1, 2] },
    },
    {
      name: 'removes items from a list',
      update: { list: FieldValue.arrayRemove(1, 5) },
      changed: { list: ['x'] },
    },
    {
      name: 'removes a field',
      update: { n: FieldValue.delete(), 'm.x': 2 },
      changed: { n: undefined, m: { x: 2 } },
    },
    {
      name: 'keeps a map whose last field is removed',
      update: { 'm.x': FieldValue.delete() },
      changed: { m: {} },
    },
    {
      name: 'replaces a value by a map',
      update: { 'n.q': true },
      changed: { n: { q: true } },
    },
    {
      name: 'ignores the removal of fields below a value that is not a map',
      update: { 'n.q': FieldValue.delete(), 'x.q': FieldValue.delete() },
      changed: {},
    },
  ])('$name', async ({ update, changed }) => {
    const document = (await createCollection({ one: before })).doc('one');

    await document.update(update);

    expect((await document.get()).data()).toEqual({ ...before, ...changed });
  });

  test('replaces a document or the fields of a mask, also fields whose names must be quoted', async () => {
    const document = (await createCollection({ one: before })).doc('one');
    const readData = async () => (await document.get()).data();

    await document.set({ n: 2 }, { mergeFields: [] });
    expect(await readData()).toEqual(before);
    await document.set({ n: 2, m: { y: 2 }, list: [] }, { mergeFields: ['n', 'm.y'] });
    expect(await readData()).toEqual({ ...before, n: 2, m: { x: 1, y: 2 } });
    await document.set({ a: 1 });
    await document.update(new FieldPath('a.b', '`\\'), 1);
    expect(await readData()).toEqual({ a: 1, 'a.b': { '`\\': 1 } });
  });

  test('stores the same server time in all documents of a batch, also if a document is written twice', async () => {
    const collection = await createCollection({});
    const [a, b] = [collection.doc('a'), collection.doc('b')];
    const batch = firestore.batch();
    batch.create(a, { at: FieldValue.serverTimestamp(), old: true });
    batch.update(a, { again: FieldValue.serverTimestamp(), old: FieldValue.delete() });
    batch.set(b, { in: { at: FieldValue.serverTimestamp() } }, { merge: true });
    const [{ writeTime }] = (await batch.commit()) as [FirebaseFirestore.WriteResult];

    const at = (await a.get()).get('at') as Timestamp;

    expect(at.toMillis()).toBeLessThanOrEqual(writeTime.toMillis());
    expect((await a.get()).data()).toEqual({ at, again: at });
    expect((await b.get()).data()).toEqual({ in: { at } });
  });
});

test('a write that changes nothing keeps the version of the document', async () => {
  const document = (await createCollection({ one: {} })).doc('one');
  const data = { n: 1, d: NaN, m: { y: Buffer.from([0, 255]) }, at: new Timestamp(1, 123456000) };
  await document.set({ ...data, in: { x: 1 } });
  const { writeTime } = await document.update({ 'in.x': FieldValue.delete() });

  // Nanoseconds are not stored.
  await document.set({ in: {}, at: new Timestamp(1, 123456789), m: data.m, d: NaN, n: 1 });
  await document.update({ n: 1, none: FieldValue.delete(), 'm.none': FieldValue.delete() });

  expect((await document.get()).updateTime).toEqual(writeTime);
});

describe('a transaction', () => {
  const createIncrement = (collection: CollectionReference) => (transaction: Transaction) =>
    transaction.get(collection.doc('one')).then((one) => {
      transaction.update(one.ref, { n: (one.get('n') as number) + 1 });
    });

  test('loses no update of concurrent transactions', async () => {
    const collection = await createCollection({ one: { n: 0 } });

    const transactions = Array.from({ length: 5 }, () =>
      firestore.runTransaction(createIncrement(collection), { maxAttempts: 20 }),
    );
    await Promise.all(transactions);

    expect((await collection.doc('one').get()).get('n')).toBe(5);
  });

  test('reads queries, counts and documents, and writes their results', async () => {
    const collection = await createCollection();

    await firestore.runTransaction(async (transaction) => {
      const { docs } = await transaction.get(collection.where('even', '==', true));
      const { count } = (await transaction.get(collection.count())).data();
      const [a, z] = await transaction.getAll(collection.doc('a'), collection.doc('z'));
      const ids = docs.map(({ id }) => id).join('');
      const results = { ids, count, a: a?.get('n') as unknown, z: z?.exists };
      transaction.set(collection.doc('z'), results);
      transaction.delete(collection.doc('a'));
    });

    const results = { ids: 'bd', count: 7, a: 1, z: false };
    expect((await collection.doc('z').get()).data()).toEqual(results);
    expect((await collection.doc('a').get()).exists).toBe(false);
  });
});
