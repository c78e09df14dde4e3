/**
 * Calls of the Admin SDK as functions make them: over REST on the embedded Firestore, over gRPC on Google's emulator, with the
 * same results.
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
import { ADMIN_SDK_SETTINGS } from '../../../dev/testing/adminSdk.ts';
import { testStack } from '../../../dev/testing/testStack.ts';

const { projectId, firestoreHost: host } = testStack();
let firestore: Firestore;

beforeAll(async () => {
  // Only the embedded Firestore tells what a project uses.
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

/** A collection with these documents. */
async function stored(documents = DOCUMENTS): Promise<CollectionReference> {
  const collection = firestore.collection(`c-${randomUUID()}`);
  const batch = firestore.batch();
  for (const [id, data] of Object.entries(documents)) batch.create(collection.doc(id), data);
  await batch.commit();
  return collection;
}

async function idsOf(query: Query): Promise<string> {
  return (await query.get()).docs.map(({ id }) => id).join('');
}

describe('a query', () => {
  let collection: CollectionReference;

  beforeAll(async () => {
    collection = await stored();
  });

  const id = FieldPath.documentId();

  test.each<[string, (all: CollectionReference) => Query, string]>([
    ['==, by descending ids', (all) => all.where('even', '==', true).orderBy(id, 'desc'), 'db'],
    ['== null', (all) => all.where('n', '==', null), 'e'],
    ['== NaN', (all) => all.where('n', '==', NaN), 'f'],
    ['<', (all) => all.where('n', '<', 2), 'a'],
    ['>= of text', (all) => all.where('n', '>=', 'text'), 'd'],
    ['a range of ids', (all) => all.where(id, '>', 'b').where(id, '<=', 'd'), 'cd'],
    ['ranges of two fields', (all) => all.where('n', '>', 1).where('m.x', '>', 0), 'c'],
    ['!=', (all) => all.where('n', '!=', 2), 'facd'],
    ['in', (all) => all.where('n', 'in', [2.5, 1, 'text', null]), 'acd'],
    ['in, of ids', (all) => all.where(id, 'in', ['c', 'a', 'z']), 'ac'],
    ['array-contains', (all) => all.where('tags', 'array-contains', 'x'), 'a'],
    ['a field downwards, then ids', (all) => all.orderBy('even', 'desc'), 'dba'],
    ['startAt, downwards', (all) => all.orderBy('n', 'desc').startAt(2).limit(2), 'ba'],
    [
      'startAfter value and id',
      (all) => all.orderBy('even').orderBy(id).startAfter(true, 'b'),
      'd',
    ],
  ])('finds and counts %s', async (_what, build, expected) => {
    const query = build(collection);

    expect(await idsOf(query)).toBe(expected);
    expect((await query.count().get()).data().count).toBe(expected.length);
  });

  test('continues after a document, in all collections of an id or below one document', async () => {
    const group = `g-${randomUUID()}`;
    const batch = firestore.batch();
    for (const path of ['a', 'ü é', `a/${group}/one`]) {
      batch.set(collection.doc(path).collection(group).doc('one'), { path });
    }
    await batch.commit();
    const read = async (query: Query) => {
      const first = await query.limit(2).get();
      const rest = await query.startAfter(first.docs.at(-1)).get();
      return [...first.docs, ...rest.docs].map((each) => each.get('path') as string);
    };

    const all = ['a', `a/${group}/one`, 'ü é'];
    expect(await read(firestore.collectionGroup(group))).toEqual(all);
    expect(await read(collection.doc('ü é').collection(group))).toEqual(['ü é']);
    expect(await read(collection.doc('a').collection(group))).toEqual(['a']);
  });

  test('is summed and averaged over the documents that have the fields', async () => {
    const read = async (query: Query, field = 'n') => {
      const sum = AggregateField.sum(field);
      const average = AggregateField.average('n');
      return (await query.aggregate({ count: AggregateField.count(), sum, average }).get()).data();
    };

    const integers = collection.where('n', '<', 2.5);
    expect(await read(integers)).toEqual({ count: 2, sum: 3, average: 1.5 });
    const texts = collection.where('n', '==', 'text');
    expect(await read(texts)).toEqual({ count: 1, sum: 0, average: null });
    expect(await read(collection)).toEqual({ count: 6, sum: NaN, average: NaN });
    expect(await read(collection, 'm.x')).toEqual({ count: 1, sum: 2, average: 2.5 });
  });

  test('by descending ids only is rejected', async () => {
    await expect(collection.orderBy(id, 'desc').get()).rejects.toHaveProperty('code', 9);
  });
});

test.each<[(string | FieldPath)[], DocumentData]>([
  [['a.b', new FieldPath('x.y')], { a: { b: 1 }, 'x.y': '' }],
  [['a.b', 'a'], { a: { b: 1, c: 2 } }],
  [['none', 'a.none', 'x', 'a.b.c'], {}],
  [[], {}],
])('a document is read, and found, with the fields %j', async (fieldMask, expected) => {
  const collection = await stored({ one: { a: { b: 1, c: 2 }, 'x.y': '' } });

  const { docs } = await collection.select(...fieldMask).get();
  const read = await firestore.getAll(collection.doc('z'), collection.doc('one'), { fieldMask });

  expect([...read, ...docs].map((each) => each.data())).toEqual([undefined, expected, expected]);
});

describe('a write', () => {
  const before: DocumentData = { n: 1, list: [1, 'x', 1], m: { x: 1 } };

  test.each<[string, DocumentData, DocumentData]>([
    ['increments', { n: FieldValue.increment(2) }, { n: 3 }],
    ['increments what is missing', { 'm.y': FieldValue.increment(-1) }, { m: { x: 1, y: -1 } }],
    ['increments what is no number', { list: FieldValue.increment(1) }, { list: 1 }],
    ['adds to a list', { list: FieldValue.arrayUnion(1, 2, 2) }, { list: [1, 'x', 1, 2] }],
    ['removes from a list', { list: FieldValue.arrayRemove(1, 5) }, { list: ['x'] }],
    ['removes a field', { n: FieldValue.delete(), 'm.x': 2 }, { n: undefined, m: { x: 2 } }],
    ['leaves an empty map', { 'm.x': FieldValue.delete() }, { m: {} }],
    ['makes a map of a value', { 'n.q': true }, { n: { q: true } }],
    [
      'removes nothing below others',
      { 'n.q': FieldValue.delete(), 'x.q': FieldValue.delete() },
      {},
    ],
  ])('%s', async (_what, change, expected) => {
    const one = (await stored({ one: before })).doc('one');

    await one.update(change);

    expect((await one.get()).data()).toEqual({ ...before, ...expected });
  });

  test('replaces a document, or what a mask has, also by a name to quote', async () => {
    const one = (await stored({ one: before })).doc('one');
    const data = async () => (await one.get()).data();

    await one.set({ n: 2 }, { mergeFields: [] });
    expect(await data()).toEqual(before);
    await one.set({ n: 2, m: { y: 2 }, list: [] }, { mergeFields: ['n', 'm.y'] });
    expect(await data()).toEqual({ ...before, n: 2, m: { x: 1, y: 2 } });
    await one.set({ a: 1 });
    await one.update(new FieldPath('a.b', '`\\'), 1);
    expect(await data()).toEqual({ a: 1, 'a.b': { '`\\': 1 } });
  });

  test('stores the time of the server, the same in all of a batch, also twice in a document', async () => {
    const collection = await stored({});
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

test('the version of a document stays if a write changes nothing', async () => {
  const one = (await stored({ one: {} })).doc('one');
  const data = { n: 1, d: NaN, m: { y: Buffer.from([0, 255]) }, at: new Timestamp(1, 123456000) };
  await one.set({ ...data, in: { x: 1 } });
  const { writeTime } = await one.update({ 'in.x': FieldValue.delete() });

  // Nanoseconds are not stored.
  await one.set({ in: {}, at: new Timestamp(1, 123456789), m: data.m, d: NaN, n: 1 });
  await one.update({ n: 1, none: FieldValue.delete(), 'm.none': FieldValue.delete() });

  expect((await one.get()).updateTime).toEqual(writeTime);
});

describe('a transaction', () => {
  const add = (collection: CollectionReference) => (transaction: Transaction) =>
    transaction.get(collection.doc('one')).then((one) => {
      transaction.update(one.ref, { n: (one.get('n') as number) + 1 });
    });

  test('loses no update of another at the same time', async () => {
    const collection = await stored({ one: { n: 0 } });

    const all = Array.from({ length: 5 }, () =>
      firestore.runTransaction(add(collection), { maxAttempts: 20 }),
    );
    await Promise.all(all);

    expect((await collection.doc('one').get()).get('n')).toBe(5);
  });

  test('reads queries, counts and documents, and writes what depends on them', async () => {
    const collection = await stored();

    await firestore.runTransaction(async (transaction) => {
      const { docs } = await transaction.get(collection.where('even', '==', true));
      const { count } = (await transaction.get(collection.count())).data();
      const [a, z] = await transaction.getAll(collection.doc('a'), collection.doc('z'));
      const ids = docs.map(({ id }) => id).join('');
      const seen = { ids, count, a: a?.get('n') as unknown, z: z?.exists };
      transaction.set(collection.doc('z'), seen);
      transaction.delete(collection.doc('a'));
    });

    const written = { ids: 'bd', count: 7, a: 1, z: false };
    expect((await collection.doc('z').get()).data()).toEqual(written);
    expect((await collection.doc('a').get()).exists).toBe(false);
  });
});
