/** Behavior of the Admin SDK when a response breaks. If a test fails, revise "Why not the Admin SDK" in the README. */
import { createRequire } from 'node:module';
import { Timestamp, type Firestore } from 'firebase-admin/firestore';
import { loadFirestoreGrpc, type GrpcOutcome } from '../../../test/support/google/firestoreGrpc.ts';

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

/** A response: its messages, as Firestore's REST API writes them, and its outcome. Default: `OK`. */
interface Response {
  readonly messages?: readonly object[];
  readonly outcome?: GrpcOutcome;
}

/** Creates an SDK over gRPC. `respond` receives each request, and the number of requests before it. */
async function createSdk(respond: (request: object, previousRequests: number) => Response) {
  let requests = 0;
  const grpc = loadFirestoreGrpc();
  const { host, stop } = await grpc.start((method, request) => {
    const { messages = [], outcome = 'OK' } = respond(request, requests++);
    return Promise.resolve([grpc.encode(method, messages), outcome]);
  });
  const sdk = new sdkModule.Firestore({ projectId: 'demo', ssl: false, host });
  stops.push(stop, () => sdk.terminate());
  return sdk;
}

/** Creates the message of a query for a document. */
function createResult(id: string) {
  const name = `projects/demo/databases/(default)/documents/flash/${id}`;
  return { document: { name, fields: {}, createTime: TIME, updateTime: TIME }, readTime: TIME };
}

test.each<GrpcOutcome>(['UNAVAILABLE', 'DISCONNECTED'])(
  'a query for 20 of 100 documents returns 15 if its stream ends with %s after five progress messages',
  async (outcome) => {
    const limits: (number | undefined)[] = [];
    const sdk = await createSdk((request, previousRequests) => {
      const { structuredQuery } = request as { readonly structuredQuery: { limit?: number } };
      limits.push(structuredQuery.limit);
      const results = Array.from({ length: 100 }, (_, index) =>
        createResult(String(index + previousRequests)),
      );
      if (previousRequests > 0) return { messages: results.slice(0, structuredQuery.limit) };
      const progress = Array.from({ length: 5 }, () => ({ readTime: TIME }));
      return { messages: [...progress, ...results.slice(0, 1)], outcome };
    });

    const { size } = await sdk.collection('flash').limit(20).get();

    expect({ size, limits }).toEqual({ size: 15, limits: [20, 14] });
  },
);

test.each<{ outcome: GrpcOutcome; commits: number; code: number }>([
  { outcome: 'UNAVAILABLE', commits: 2, code: 9 },
  { outcome: 'RESOURCE_EXHAUSTED', commits: 2, code: 9 },
  { outcome: 'DISCONNECTED', commits: 2, code: 9 },
  { outcome: 'ABORTED', commits: 1, code: 10 },
])(
  'a transaction with one attempt whose commit ends with $outcome sends $commits commits, and fails with code $code',
  async ({ outcome, commits, code }) => {
    let requests = 0;
    const sdk = await createSdk((_request, previousRequests) => {
      requests += 1;
      return { outcome: previousRequests === 0 ? outcome : 'FAILED_PRECONDITION' };
    });

    const transactionEnd = sdk.runTransaction(
      (transaction) => {
        transaction.update(sdk.doc('flash/a'), { n: 1 }, { lastUpdateTime });
        return Promise.resolve();
      },
      { maxAttempts: 1 },
    );

    await expect(transactionEnd).rejects.toMatchObject({ code });
    expect(requests).toBe(commits);
  },
);
