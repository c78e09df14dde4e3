/** The features that only the embedded Firestore has: its meter, its record of queries, and how it starts and stops. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Firestore } from 'firebase-admin/firestore';
import { connectToControl, type Control } from './control.ts';
import type { Usage } from './meter.ts';
import { startEmbeddedFirestore, type EmbeddedFirestore } from './server.ts';

const PROJECT = 'demo-embedded';

/** Runs an embedded Firestore with a client and its control, and stops them afterwards. */
async function withEmbedded(
  use: (parts: {
    embedded: EmbeddedFirestore;
    firestore: Firestore;
    control: Control;
  }) => Promise<void>,
  times = {},
): Promise<void> {
  const embedded = await startEmbeddedFirestore({ times });
  const firestore = clientOf(embedded);
  const control = connectToControl(embedded.address);
  try {
    await use({ embedded, firestore, control });
  } finally {
    await firestore.terminate();
    control.close();
    await embedded.stop();
  }
}

function clientOf({ address }: EmbeddedFirestore, projectId = PROJECT): Firestore {
  return new Firestore({ projectId, host: address, ssl: false });
}

async function storeNumbered(firestore: Firestore, count: number): Promise<void> {
  const batch = firestore.batch();
  for (let n = 0; n < count; n += 1) batch.set(firestore.doc(`things/thing-${n}`), { n });
  await batch.commit();
}

describe('the meter', () => {
  test.each<[string, (firestore: Firestore) => Promise<unknown>, Partial<Usage>]>([
    ['a document', (db) => db.doc('things/thing-1').get(), { reads: 1 }],
    ['a missing document', (db) => db.doc('things/none').get(), { reads: 1 }],
    [
      'several documents, found or missing, masked or not',
      (db) =>
        db.getAll(db.doc('things/thing-1'), db.doc('things/none'), db.doc('things/thing-2'), {
          fieldMask: ['other'],
        }),
      { reads: 3 },
    ],
    ['a query', (db) => db.collection('things').limit(7).get(), { reads: 7 }],
    ['an empty query', (db) => db.collection('nothing').get(), { reads: 1 }],
    [
      'a query with an offset',
      (db) => db.collection('things').offset(5).limit(2).get(),
      { reads: 7 },
    ],
    ['a count', (db) => db.collection('things').count().get(), { reads: 1 }],
    ['a count without matches', (db) => db.collection('nothing').count().get(), { reads: 1 }],
    ['a write', (db) => db.doc('things/new').set({}), { writes: 1 }],
    ['a write that changes nothing', (db) => db.doc('things/thing-1').set({ n: 1 }), { writes: 1 }],
    ['a delete', (db) => db.doc('things/none').delete(), { deletes: 1 }],
    [
      'a refused write',
      (db) =>
        db
          .doc('things/thing-1')
          .create({})
          .catch(() => undefined),
      {},
    ],
    [
      'a batch',
      (db) =>
        db.batch().set(db.doc('a/a'), {}).set(db.doc('a/b'), {}).delete(db.doc('a/c')).commit(),
      { writes: 2, deletes: 1 },
    ],
    [
      'a transaction',
      (db) =>
        db.runTransaction(async (transaction) => {
          await transaction.get(db.doc('things/thing-1'));
          transaction.update(db.doc('things/thing-1'), { n: 2 });
        }),
      { reads: 1, writes: 1 },
    ],
  ])('bills %s like Firestore', async (_what, use, billed) => {
    await withEmbedded(async ({ firestore, control }) => {
      await storeNumbered(firestore, 20);
      const before = await control.usage(PROJECT);

      await use(firestore);

      const { reads, writes, deletes } = await control.usage(PROJECT);
      expect({
        reads: reads - before.reads,
        writes: writes - before.writes,
        deletes: deletes - before.deletes,
      }).toEqual({ reads: 0, writes: 0, deletes: 0, ...billed });
    });
  });

  test('bills an aggregation with one read per started thousand of matches', async () => {
    await withEmbedded(async ({ firestore, control }) => {
      await storeNumbered(firestore, 1001);
      const before = await control.usage(PROJECT);

      await firestore.collection('things').where('n', '<', 1000).count().get();
      const thousand = await control.usage(PROJECT);
      await firestore.collection('things').count().get();
      const more = await control.usage(PROJECT);

      expect(thousand.reads - before.reads).toBe(1);
      expect(more.reads - thousand.reads).toBe(2);
    });
  });

  test('counts calls per project', async () => {
    await withEmbedded(async ({ embedded, firestore, control }) => {
      const other = clientOf(embedded, 'demo-another');
      await firestore.doc('a/b').get();
      await firestore.doc('a/b').set({});
      await other.doc('a/b').get();
      await other.terminate();

      expect((await control.usage(PROJECT)).calls).toEqual({ BatchGetDocuments: 1, Commit: 1 });
      expect((await control.usage('demo-another')).calls).toEqual({ BatchGetDocuments: 1 });
    });
  });
});

describe('the record of queries', () => {
  test('has the shape of each query once, without its values, and a counter', async () => {
    await withEmbedded(async ({ firestore, control }) => {
      const owned = (owner: string) =>
        firestore
          .collection('things')
          .where('owner', '==', owner)
          .where('size.width', '>', 2)
          .orderBy('size.width', 'desc');
      await owned('a').limit(2).get();
      await owned('b').limit(9).get();
      await owned('a').count().get();
      await firestore.collectionGroup('parts').select('name').get();

      const form = {
        collection: 'things',
        allDescendants: false,
        filters: [
          { field: 'owner', op: 'EQUAL' },
          { field: 'size.width', op: 'GREATER_THAN' },
        ],
        orderBy: [{ field: 'size.width', direction: 'DESCENDING' }],
        select: null,
      };
      expect(await control.queries(PROJECT)).toEqual([
        { ...form, limited: true, aggregated: false, times: 2 },
        { ...form, limited: false, aggregated: true, times: 1 },
        {
          collection: 'parts',
          allDescendants: true,
          filters: [],
          orderBy: [],
          select: ['name'],
          limited: false,
          aggregated: false,
          times: 1,
        },
      ]);
    });
  });
});

describe('a reset', () => {
  test('empties only one project and its records', async () => {
    await withEmbedded(async ({ embedded, firestore, control }) => {
      const other = clientOf(embedded, 'demo-another');
      await firestore.doc('a/b').set({});
      await firestore.collection('a').get();
      await other.doc('a/b').set({});

      await control.reset(PROJECT);

      expect(await control.usage(PROJECT)).toEqual({ reads: 0, writes: 0, deletes: 0, calls: {} });
      expect(await control.queries(PROJECT)).toEqual([]);
      expect((await firestore.doc('a/b').get()).exists).toBe(false);
      expect((await other.doc('a/b').get()).exists).toBe(true);
      await other.terminate();
    });
  });
});

describe('the REST interface', () => {
  const name = `projects/${PROJECT}/databases/(default)/documents/a/b`;

  test('is metered like gRPC, on the same port', async () => {
    await withEmbedded(async ({ embedded, firestore, control }) => {
      await firestore.doc('a/b').set({});
      await callRest(embedded, 'commit', { writes: [{ update: { name } }] });
      await callRest(embedded, 'batchGet', { documents: [name] });

      expect(await control.usage(PROJECT)).toEqual({
        reads: 1,
        writes: 2,
        deletes: 0,
        calls: { Commit: 2, BatchGetDocuments: 1 },
      });
    });
  });

  test.each([
    ['before', 'missing'],
    ['after', 'found'],
  ] as const)('can fail %s executing a call', async (when, outcome) => {
    await withEmbedded(async ({ embedded, control }) => {
      await control.inject(PROJECT, { call: 'Commit', when, code: 14, times: 1 });

      const refused = await callRest(embedded, 'commit', { writes: [{ update: { name } }] });
      const read = await callRest(embedded, 'batchGet', { documents: [name] });

      expect(refused).toMatchObject({ status: 503, json: { error: { status: 'UNAVAILABLE' } } });
      expect(read).toMatchObject({
        status: 200,
        json: [{ [outcome]: expect.anything() as object }],
      });
    });
  });

  test('does not delay the stop of a server, whether idle or busy', async () => {
    const embedded = await startEmbeddedFirestore();
    const control = connectToControl(embedded.address);
    await control.inject(PROJECT, { call: 'Commit', when: 'before', delayMs: 600_000 });
    await callRest(embedded, 'batchGet', { documents: [name] });
    const atWork = callRest(embedded, 'commit', {}).catch(() => 'interrupted');

    await embedded.stop();

    expect(await atWork).toBe('interrupted');
    const again = await startEmbeddedFirestore({ port: Number(embedded.address.split(':')[1]) });
    expect(again.address).toBe(embedded.address);
    control.close();
    await again.stop();
  });

  async function callRest(
    { address }: EmbeddedFirestore,
    method: string,
    body: object,
  ): Promise<{ status: number; json: unknown }> {
    const root = `projects/${PROJECT}/databases/(default)/documents`;
    const response = await fetch(`http://${address}/v1/${root}:${method}`, {
      method: 'POST',
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, json: await response.json() };
  }
});

describe('a server', () => {
  test('fails to start if its port is in use', async () => {
    const first = await startEmbeddedFirestore();
    const port = Number(first.address.split(':')[1]);

    await expect(startEmbeddedFirestore({ port })).rejects.toThrow(/EADDRINUSE/);
    await first.stop();
  });

  test('stops while a listener is active, and frees its port', async () => {
    const embedded = await startEmbeddedFirestore();
    const firestore = clientOf(embedded);
    const { promise: listening, resolve } = Promise.withResolvers<undefined>();
    const unsubscribe = firestore.doc('a/b').onSnapshot(
      () => {
        resolve(undefined);
      },
      () => undefined,
    );
    await listening;

    await embedded.stop();

    const port = Number(embedded.address.split(':')[1]);
    const again = await startEmbeddedFirestore({ port });
    expect(again.address).toBe(embedded.address);
    unsubscribe();
    await firestore.terminate();
    await again.stop();
  });

  test('releases the locks of a transaction when its client is gone', async () => {
    await withEmbedded(
      async ({ embedded, firestore }) => {
        const gone = clientOf(embedded);
        const { promise: hasRead, resolve } = Promise.withResolvers<undefined>();
        void gone.runTransaction(async (transaction) => {
          await transaction.get(gone.doc('a/b'));
          transaction.set(gone.doc('a/b'), {});
          resolve(undefined);
          await new Promise(() => undefined);
        });
        await hasRead;

        await firestore.doc('a/b').set({ written: true });

        expect((await firestore.doc('a/b').get()).get('written')).toBe(true);
        await gone.terminate();
      },
      { idleMs: 50 },
    );
  });

  test.each([
    ['a reserved id', 'things/__x__'],
    ['two dots', 'things/..'],
    ['an id of 1501 bytes', `things/${'x'.repeat(1501)}`],
  ])('refuses to write to %s', async (_what, path) => {
    await withEmbedded(async ({ firestore }) => {
      await expect(firestore.doc(path).set({})).rejects.toMatchObject({ code: 3 });
    });
  });
});

describe('the control', () => {
  test('reports that another server uses the address', async () => {
    const server = createServer((_request, response) => response.end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const control = connectToControl(`127.0.0.1:${port}`);

    await expect(control.usage(randomUUID())).rejects.toThrow(
      `No embedded Firestore at 127.0.0.1:${port}`,
    );
    control.close();
    server.close();
    server.closeAllConnections();
  });
});
