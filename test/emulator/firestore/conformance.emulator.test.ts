/**
 * The behaviour of Firestore that the Admin SDK relies on, tested on the stack's Firestore: the embedded one in `npm
 * test`, Google's emulator in `npm run test:official`.
 */
import { randomUUID } from 'node:crypto';
import { deleteApp, initializeApp, type App } from 'firebase-admin/app';
import {
  AggregateField,
  FieldPath,
  FieldValue,
  Filter,
  getFirestore,
  Timestamp,
  type CollectionReference,
  type DocumentReference,
  type Firestore,
  type QuerySnapshot,
} from 'firebase-admin/firestore';
import { testStack } from '../../support/stack.ts';

const apps: App[] = [];

/** A separate client, like in another process. */
function client(): Firestore {
  const app = initializeApp({ projectId: testStack().projectId }, randomUUID());
  apps.push(app);
  return getFirestore(app);
}

const firestore = client();
const others = [client(), client()];

afterAll(() => Promise.all(apps.map((app) => deleteApp(app))));

/** A collection that no other test uses. */
function freshCollection(): CollectionReference {
  return firestore.collection(`probe-${randomUUID()}`);
}

function freshDocument(): DocumentReference {
  return freshCollection().doc('one');
}

async function stored(
  collection: CollectionReference,
  documents: Readonly<Record<string, object>>,
): Promise<CollectionReference> {
  const batch = firestore.batch();
  for (const [id, data] of Object.entries(documents)) batch.set(collection.doc(id), data);
  await batch.commit();
  return collection;
}

function ids(snapshot: QuerySnapshot): string[] {
  return snapshot.docs.map(({ id }) => id);
}

/** The gRPC code of a rejected call. */
async function codeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'no error',
    (error: unknown) => (error as { code?: unknown }).code,
  );
}

describe('a document', () => {
  test('is read as it was stored, with values of every type', async () => {
    const document = freshDocument();
    const data = {
      text: 'ü',
      integer: 9_007_199_254_740_991,
      double: -0.5,
      yes: true,
      nothing: null,
      time: Timestamp.fromMillis(1_700_000_000_123),
      bytes: Buffer.from([0, 255]),
      list: [1, 'a', { b: [] }],
      map: { 'a.b': { c: {} }, '`': 1 },
      reference: firestore.doc('a/b'),
    };

    await document.set(data);

    expect((await document.get()).data()).toEqual(data);
  });

  test('is missing until it is stored and after it is deleted', async () => {
    const document = freshDocument();

    expect((await document.get()).exists).toBe(false);
    await document.set({});
    expect((await document.get()).exists).toBe(true);
    await document.delete();
    expect((await document.get()).exists).toBe(false);
  });

  test.each(['a\nb\u0001', '. ', '.. ', '.a', '..a', '...', '__a__b', '____a'])(
    'is missing if its id is %j',
    async (id) => {
      expect((await freshCollection().doc(id).get()).exists).toBe(false);
    },
  );

  test('can be merged, updated by path, and fields removed', async () => {
    const document = freshDocument();
    await document.set({ a: { b: 1, c: 2 }, d: 3 });

    await document.set({ a: { c: 4 } }, { merge: true });
    await document.update({ 'a.b': FieldValue.delete(), e: 5 });
    await document.update(new FieldPath('x.y'), 6);

    expect((await document.get()).data()).toEqual({ a: { c: 4 }, d: 3, e: 5, 'x.y': 6 });
  });

  test('can be transformed on the server', async () => {
    const document = freshDocument();
    await document.set({ count: 1, tags: ['a', 'b'] });

    await document.update({
      count: FieldValue.increment(2),
      tags: FieldValue.arrayUnion('b', 'c'),
      at: FieldValue.serverTimestamp(),
    });
    await document.update({ tags: FieldValue.arrayRemove('a') });

    const data = (await document.get()).data();
    expect(data).toMatchObject({ count: 3, tags: ['b', 'c'] });
    expect(data?.at).toBeInstanceOf(Timestamp);
  });

  test('is read with only the fields of a mask', async () => {
    const collection = await stored(freshCollection(), {
      a: { x: { y: 1, z: 2 }, 'u.v': 3, w: 4 },
      b: { w: 5 },
    });

    const found = await firestore.getAll(
      collection.doc('b'),
      collection.doc('none'),
      collection.doc('a'),
      { fieldMask: ['x.y', new FieldPath('u.v')] },
    );

    expect(found.map((document) => document.data())).toEqual([
      {},
      undefined,
      { x: { y: 1 }, 'u.v': 3 },
    ]);
  });

  test.each([
    ['created although it exists', (document: DocumentReference) => document.create({}), 6],
    [
      'updated although it does not exist',
      (document: DocumentReference) => document.parent.doc('none').update({ a: 1 }),
      5,
    ],
    [
      'deleted although it does not exist, with a precondition',
      (document: DocumentReference) => document.parent.doc('none').delete({ exists: true }),
      5,
    ],
    [
      'updated with another update time as a precondition',
      (document: DocumentReference) =>
        document.update({ a: 1 }, { lastUpdateTime: Timestamp.fromMillis(0) }),
      9,
    ],
    [
      'larger than 1 MiB',
      (document: DocumentReference) => document.set({ a: 'x'.repeat(1_050_000) }),
      3,
    ],
  ] as const)('is not written when it is %s', async (_what, write, code) => {
    const document = freshDocument();
    await document.set({ kept: true });

    expect(await codeOf(write(document))).toBe(code);
    expect((await document.get()).data()).toEqual({ kept: true });
  });

  test('lists its subcollections, and is listed itself even if it is missing', async () => {
    const collection = freshCollection();
    await collection.doc('missing').collection('b').doc('c').set({});
    await collection.doc('there').set({});

    const documents = await collection.listDocuments();
    const collections = await collection.doc('missing').listCollections();

    expect(documents.map(({ id }) => id).sort()).toEqual(['missing', 'there']);
    expect(collections.map(({ id }) => id)).toEqual(['b']);
  });
});

describe('a query', () => {
  const numbered = {
    a: { n: 1, group: 'x', tags: ['p'] },
    b: { n: 2, group: 'x', tags: ['p', 'q'] },
    c: { n: 2, group: 'y', tags: ['q'] },
    d: { n: 3, group: 'y', tags: [] },
    e: { group: 'y' },
    f: { n: 'text', group: 'z' },
  };

  test.each([
    ['==', 'n', 2, ['b', 'c']],
    ['!=', 'n', 2, ['a', 'd', 'f']],
    ['<', 'n', 2, ['a']],
    ['<=', 'n', 2, ['a', 'b', 'c']],
    ['>', 'n', 2, ['d']],
    ['>=', 'n', 2, ['b', 'c', 'd']],
    ['in', 'n', [1, 3], ['a', 'd']],
    ['not-in', 'n', [1, 3], ['b', 'c', 'f']],
    ['array-contains', 'tags', 'q', ['b', 'c']],
    ['array-contains-any', 'tags', ['p', 'q'], ['a', 'b', 'c']],
  ] as const)('filters by %s', async (op, field, value, expected) => {
    const collection = await stored(freshCollection(), numbered);

    expect(ids(await collection.where(field, op, value).get()).sort()).toEqual(expected);
  });

  test('combines filters with and and or', async () => {
    const collection = await stored(freshCollection(), numbered);
    const both = collection.where('group', '==', 'x').where('n', '==', 2);
    const either = collection.where(
      Filter.or(Filter.where('group', '==', 'z'), Filter.where('n', '==', 1)),
    );

    expect(ids(await both.get())).toEqual(['b']);
    expect(ids(await either.get()).sort()).toEqual(['a', 'f']);
  });

  test('orders by field, then id, and excludes documents without the field', async () => {
    const collection = await stored(freshCollection(), numbered);

    expect(ids(await collection.orderBy('n').get())).toEqual(['a', 'b', 'c', 'd', 'f']);
    expect(ids(await collection.orderBy('n', 'desc').get())).toEqual(['f', 'd', 'c', 'b', 'a']);
    expect(
      ids(await collection.orderBy('n').orderBy(FieldPath.documentId(), 'desc').get()),
    ).toEqual(['a', 'c', 'b', 'd', 'f']);
  });

  test('orders by id by default', async () => {
    const collection = await stored(freshCollection(), {
      b: {},
      a: {},
      é: {},
      B: {},
      '10': {},
      '9': {},
    });

    expect(ids(await collection.get())).toEqual(['10', '9', 'B', 'a', 'b', 'é']);
  });

  test('orders values of different types like the service', async () => {
    const collection = await stored(freshCollection(), {
      map: { v: {} },
      list: { v: [] },
      text: { v: 'a' },
      time: { v: Timestamp.fromMillis(0) },
      number: { v: 1 },
      boolean: { v: false },
      nothing: { v: null },
      bytes: { v: Buffer.from([1]) },
    });

    expect(ids(await collection.orderBy('v').get())).toEqual([
      'nothing',
      'boolean',
      'number',
      'time',
      'text',
      'bytes',
      'list',
      'map',
    ]);
  });

  test('starts and ends at values and at documents', async () => {
    const collection = await stored(freshCollection(), numbered);
    const ordered = collection.orderBy('n').orderBy(FieldPath.documentId());
    const b = await collection.doc('b').get();

    expect(ids(await ordered.startAfter(b).get())).toEqual(['c', 'd', 'f']);
    expect(ids(await ordered.startAt(b).get())).toEqual(['b', 'c', 'd', 'f']);
    expect(ids(await ordered.endBefore(b).get())).toEqual(['a']);
    expect(ids(await ordered.startAt(2).endAt(2).get())).toEqual(['b', 'c']);
    expect(ids(await ordered.startAfter(2, 'b').limit(1).get())).toEqual(['c']);
  });

  test('supports limit, offset and limitToLast', async () => {
    const collection = await stored(freshCollection(), numbered);

    expect(ids(await collection.orderBy('n').limit(2).get())).toEqual(['a', 'b']);
    expect(ids(await collection.orderBy('n').offset(1).limit(2).get())).toEqual(['b', 'c']);
    expect(ids(await collection.orderBy('n').limitToLast(2).get())).toEqual(['d', 'f']);
  });

  test('treats a limit of 0 as no limit', async () => {
    const collection = await stored(freshCollection(), numbered);

    expect((await collection.limit(0).get()).size).toBe(6);
  });

  test('filters by document ids', async () => {
    const collection = await stored(freshCollection(), numbered);
    const query = collection.where(FieldPath.documentId(), 'in', ['a', 'f', 'none']);

    expect(ids(await query.get())).toEqual(['a', 'f']);
  });

  test('filters by nested fields', async () => {
    const collection = await stored(freshCollection(), {
      a: { info: { isVerified: true } },
      b: { info: { isVerified: false } },
      c: { info: true },
    });

    expect(ids(await collection.where('info.isVerified', '==', true).get())).toEqual(['a']);
  });

  test('returns only the selected fields', async () => {
    const collection = await stored(freshCollection(), { a: { x: { y: 1, z: 2 }, w: 3 } });

    const { docs } = await collection.select('x.y').get();

    expect(docs.map((document) => document.data())).toEqual([{ x: { y: 1 } }]);
  });

  test('can cover a collection group', async () => {
    const name = `group-${randomUUID()}`;
    await freshDocument().collection(name).doc('a').set({ n: 1 });
    await freshDocument().collection(name).doc('b').set({ n: 2 });

    expect(ids(await firestore.collectionGroup(name).get()).sort()).toEqual(['a', 'b']);
  });

  test('counts, sums and averages', async () => {
    const collection = await stored(freshCollection(), numbered);
    const aggregated = await collection
      .where('n', '<', 100)
      .aggregate({
        count: AggregateField.count(),
        sum: AggregateField.sum('n'),
        average: AggregateField.average('n'),
      })
      .get();

    expect(aggregated.data()).toEqual({ count: 4, sum: 8, average: 2 });
    expect((await collection.orderBy('n').count().get()).data().count).toBe(5);
    expect((await collection.limit(2).count().get()).data().count).toBe(2);
    expect((await freshCollection().count().get()).data().count).toBe(0);
  });

  test('can be streamed', async () => {
    const collection = await stored(freshCollection(), numbered);
    const read: string[] = [];
    for await (const document of collection.stream()) {
      read.push((document as unknown as { id: string }).id);
    }

    expect(read).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });
});

describe('a batch', () => {
  test('is written completely or not at all', async () => {
    const collection = freshCollection();
    const batch = firestore
      .batch()
      .set(collection.doc('a'), {})
      .update(collection.doc('none'), { a: 1 })
      .set(collection.doc('b'), {});

    expect(await codeOf(batch.commit())).toBe(5);
    expect((await collection.get()).size).toBe(0);
  });

  test('may have more than 500 writes', async () => {
    const collection = freshCollection();
    await stored(
      collection,
      Object.fromEntries(Array.from({ length: 501 }, (_, n) => [String(n), {}])),
    );

    expect((await collection.count().get()).data().count).toBe(501);
  });

  test('of a bulk writer is written one by one', async () => {
    const collection = freshCollection();
    const writer = firestore.bulkWriter();
    const failed: unknown[] = [];
    writer.onWriteError(({ code }) => {
      failed.push(code);
      return false;
    });

    void writer.set(collection.doc('a'), {});
    void writer.update(collection.doc('none'), { a: 1 }).catch(() => undefined);
    void writer.set(collection.doc('b'), {});
    await writer.close();

    expect(failed).toEqual([5]);
    expect(ids(await collection.get())).toEqual(['a', 'b']);
  });
});

describe('a transaction', () => {
  /** Increments `n` from several clients at once; returns how often the function ran. */
  async function incrementAtOnce(document: DocumentReference, times: number): Promise<number> {
    let runs = 0;
    await Promise.all(
      Array.from({ length: times }, async (_, index) => {
        const from = [firestore, ...others][index % 3] ?? firestore;
        await from.runTransaction(async (transaction) => {
          runs += 1;
          const own = from.doc(document.path);
          const n = (await transaction.get(own)).get('n') as number;
          transaction.update(own, { n: n + 1 });
        });
      }),
    );
    return runs;
  }

  test('does not lose concurrent updates', async () => {
    const document = freshDocument();
    await document.set({ n: 0 });

    const runs = await incrementAtOnce(document, 20);

    expect((await document.get()).get('n')).toBe(20);
    // Some were retried because of contention.
    expect(runs).toBeGreaterThan(20);
  });

  test('is retried after a deadlock', async () => {
    const collection = await stored(freshCollection(), { x: { n: 0 }, y: { n: 0 } });
    const { promise: bothHaveRead, resolve } = Promise.withResolvers<undefined>();
    let runs = 0;
    const inOrder = async (from: Firestore, first: string, second: string) =>
      from.runTransaction(async (transaction) => {
        const [one, two] = [first, second].map((id) => from.doc(`${collection.path}/${id}`));
        if (one === undefined || two === undefined) throw new Error('the query has two documents');
        const n = (await transaction.get(one)).get('n') as number;
        if (++runs === 2) resolve(undefined);
        await bothHaveRead;
        const m = (await transaction.get(two)).get('n') as number;
        transaction.update(one, { n: n + 1 }).update(two, { n: m + 1 });
      });

    await Promise.all([inOrder(firestore, 'x', 'y'), inOrder(others[0] ?? firestore, 'y', 'x')]);

    const { docs } = await collection.get();
    expect(docs.map((document) => document.get('n') as number)).toEqual([2, 2]);
    // At least one transaction was retried.
    expect(runs).toBeGreaterThan(2);
  });

  test('delays a write outside of transactions to a document that it has read', async () => {
    const document = freshDocument();
    await document.set({ n: 0 });
    const order: string[] = [];
    let plain: Promise<unknown> = Promise.resolve();

    await firestore.runTransaction(async (transaction) => {
      const n = (await transaction.get(document)).get('n') as number;
      plain = (others[0] ?? firestore)
        .doc(document.path)
        .set({ n: 100 })
        .then(() => order.push('plain'));
      // When this read has its response, the other write has reached the server and waits.
      await freshDocument().get();
      order.push('transaction');
      transaction.update(document, { n: n + 1 });
    });
    await plain;

    expect(order).toEqual(['transaction', 'plain']);
    expect((await document.get()).get('n')).toBe(100);
  });

  test('writes nothing when its function throws', async () => {
    const document = freshDocument();
    const failing = firestore.runTransaction(async (transaction) => {
      await transaction.get(document);
      transaction.set(document, {});
      throw new Error('aborted');
    });

    await expect(failing).rejects.toThrow('aborted');
    expect((await document.get()).exists).toBe(false);
    await document.set({ free: true });
    expect((await document.get()).get('free')).toBe(true);
  });

  test('can read documents, masks, queries and counts', async () => {
    const collection = await stored(freshCollection(), { a: { n: 1, m: 1 }, b: { n: 2 } });

    const read = await firestore.runTransaction(async (transaction) => {
      const [a] = await transaction.getAll(collection.doc('a'), { fieldMask: ['n'] });
      const found = await transaction.get(collection.where('n', '>', 0));
      const count = await transaction.get(collection.count());
      transaction.set(collection.doc('c'), {});
      return [a?.data(), ids(found), count.data().count];
    });

    expect(read).toEqual([{ n: 1 }, ['a', 'b'], 2]);
    expect((await collection.doc('c').get()).exists).toBe(true);
  });

  test('that is read-only sees a consistent snapshot', async () => {
    const collection = await stored(freshCollection(), { a: { n: 1 }, b: { n: 1 } });

    const seen = await firestore.runTransaction(
      async (transaction) => {
        const a = (await transaction.get(collection.doc('a'))).get('n') as number;
        const b = (await transaction.get(collection.doc('b'))).get('n') as number;
        return [a, b];
      },
      { readOnly: true },
    );

    expect(seen).toEqual([1, 1]);
  });

  test('detects a concurrent insert into the result of its query', async () => {
    const collection = freshCollection();
    const addOne = async (from: Firestore, id: string) =>
      from.runTransaction(async (transaction) => {
        const own = from.collection(collection.path);
        const { size } = await transaction.get(own.where('kind', '==', 'seat'));
        transaction.set(own.doc(id), { kind: 'seat', number: size + 1 });
      });

    await Promise.all([firestore, ...others].map((from, index) => addOne(from, `seat-${index}`)));

    const { docs } = await collection.orderBy('number').get();
    expect(docs.map((document) => document.get('number') as number)).toEqual([1, 2, 3]);
  });
});

describe('a listener', () => {
  test('gets a document, its changes and its deletion', async () => {
    const document = freshDocument();
    const seen: unknown[] = [];
    const { promise: gone, resolve } = Promise.withResolvers<undefined>();
    const writes = [
      () => document.set({ n: 1 }),
      () => document.set({ n: 2 }),
      () => document.delete(),
    ];
    const stop = document.onSnapshot((snapshot) => {
      seen.push(snapshot.data());
      const write = writes.shift();
      if (write) void write();
      else resolve(undefined);
    });

    await gone;
    stop();

    expect(seen).toEqual([undefined, { n: 1 }, { n: 2 }, undefined]);
  });

  test('gets documents that enter, change in and leave a query', async () => {
    const collection = await stored(freshCollection(), { a: { n: 1 } });
    const seen: string[][] = [];
    const { promise: done, resolve } = Promise.withResolvers<undefined>();
    const writes = [
      () => collection.doc('b').set({ n: 2 }),
      () => collection.doc('a').set({ n: 3 }),
      () => collection.doc('b').set({ n: -1 }),
    ];
    const stop = collection.where('n', '>', 0).onSnapshot((snapshot) => {
      seen.push(snapshot.docChanges().map(({ type, doc }) => `${type} ${doc.id}`));
      const write = writes.shift();
      if (write) void write();
      else resolve(undefined);
    });

    await done;
    stop();

    expect(seen).toEqual([['added a'], ['added b'], ['modified a'], ['removed b']]);
  });
});
