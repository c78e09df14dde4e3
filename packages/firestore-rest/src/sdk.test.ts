/** Behavior of the Admin SDK when a response breaks. If a test fails, revise "Why not the Admin SDK" in the README. */
import { createRequire } from 'node:module';
import { Timestamp, type Firestore } from 'firebase-admin/firestore';
import { loadFirestoreGrpc, type GrpcOutcome } from '../../../dev/fakeGoogle/firestoreGrpc.ts';

const admin = createRequire(require.resolve('firebase-admin'));
const sdkModule = admin('@google-cloud/firestore') as {
  readonly Firestore: new (settings: object) => Firestore;
};

const TIME = '2026-01-01T00:00:00Z';
const lastUpdateTime = Timestamp.fromMillis(Date.parse(TIME));

let stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  stops = [];
});

/** A response: its messages, as Firestore's REST API writes them, and how it ends (without it: `OK`). */
interface Response {
  readonly messages?: readonly object[];
  readonly ending?: GrpcOutcome;
}

/** The SDK over gRPC; `respond` gets each request and how many there were before. */
async function scripted(respond: (request: object, n: number) => Response) {
  let calls = 0;
  const grpc = loadFirestoreGrpc();
  const { host, stop } = await grpc.start((method, request) => {
    const { messages = [], ending = 'OK' } = respond(request, calls++);
    return Promise.resolve([grpc.encode(method, messages), ending]);
  });
  const sdk = new sdkModule.Firestore({ projectId: 'demo', ssl: false, host });
  stops.push(stop, () => sdk.terminate());
  return sdk;
}

function found(id: string) {
  const name = `projects/demo/databases/(default)/documents/flash/${id}`;
  return { document: { name, fields: {}, createTime: TIME, updateTime: TIME }, readTime: TIME };
}

test.each<GrpcOutcome>(['UNAVAILABLE', 'CLOSED'])(
  'a query for 20 of 100 documents returns 15 if its stream ends with %s after five progress messages',
  async (ending) => {
    const limits: (number | undefined)[] = [];
    const sdk = await scripted((request, n) => {
      const { structuredQuery } = request as { readonly structuredQuery: { limit?: number } };
      limits.push(structuredQuery.limit);
      const all = Array.from({ length: 100 }, (_, index) => found(String(index + n)));
      if (n > 0) return { messages: all.slice(0, structuredQuery.limit) };
      const progress = Array.from({ length: 5 }, () => ({ readTime: TIME }));
      return { messages: [...progress, ...all.slice(0, 1)], ending };
    });

    const { size } = await sdk.collection('flash').limit(20).get();

    expect({ size, limits }).toEqual({ size: 15, limits: [20, 14] });
  },
);

test.each<[GrpcOutcome, sent: number, code: number]>([
  ['UNAVAILABLE', 2, 9],
  ['RESOURCE_EXHAUSTED', 2, 9],
  ['CLOSED', 2, 9],
  ['ABORTED', 1, 10],
])(
  'the commit of a transaction with one attempt that is applied, but ends with %s, is sent %i times: code %i',
  async (ending, sent, code) => {
    let commits = 0;
    const sdk = await scripted((_request, n) => {
      commits += 1;
      return { ending: n === 0 ? ending : 'FAILED_PRECONDITION' };
    });

    const written = sdk.runTransaction(
      (transaction) => {
        transaction.update(sdk.doc('flash/a'), { n: 1 }, { lastUpdateTime });
        return Promise.resolve();
      },
      { maxAttempts: 1 },
    );

    await expect(written).rejects.toMatchObject({ code });
    expect(commits).toBe(sent);
  },
);
