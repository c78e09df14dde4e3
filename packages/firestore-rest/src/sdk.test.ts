/** What Firestore's SDK and its generated client do when a response breaks: why this package exists. */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { Timestamp, type Firestore } from 'firebase-admin/firestore';
import { REST } from '../../../test/support/adminSdk.ts';
import {
  startScriptedGrpc,
  type Ending,
  type GrpcCall,
  type GrpcResponse,
  type ScriptedGrpc,
} from '../../../test/support/scriptedGrpc.ts';
import {
  respondsWith,
  respondsWithText,
  startScriptedServer,
  type Reaction,
} from '../../../test/support/scriptedServer.ts';

/** The part of the generated client that is tried. */
interface GeneratedClient {
  commit(request: object, options: object): Promise<unknown>;
  runQuery(request: object, options: object): Readable;
  close(): Promise<void>;
}

const admin = createRequire(require.resolve('firebase-admin'));
const { version } = admin('@google-cloud/firestore/package.json') as { readonly version: string };
const sdkModule = admin('@google-cloud/firestore') as {
  readonly Firestore: new (settings: object) => Firestore;
  readonly v1: { readonly FirestoreClient: new (settings: object) => GeneratedClient };
};
const { grpc } = createRequire(admin.resolve('@google-cloud/firestore'))('google-gax') as {
  readonly grpc: { readonly credentials: { createInsecure(): unknown } };
};

const DATABASE = 'projects/demo/databases/(default)';
const [TIME, LATER] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'];

let stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  stops = [];
});

/** A failure may be good news: an upgrade of the SDK has mended something. It names what to revise. */
function expectAsInReadme(seen: unknown, described: unknown): void {
  const hint = `If @google-cloud/firestore ${version} behaves like this, revise packages/firestore-rest/README.md, "Why not the Admin SDK"`;
  expect({ [hint]: seen }).toEqual({ [hint]: described });
}

async function startServer(
  respond: (call: GrpcCall) => GrpcResponse | undefined,
): Promise<ScriptedGrpc> {
  const server = await startScriptedGrpc(respond);
  stops.push(server.stop);
  return server;
}

function openSdk(host: string, settings: object = {}): Firestore {
  const sdk = new sdkModule.Firestore({ projectId: 'demo', host, ssl: false, ...settings });
  stops.push(() => sdk.terminate());
  return sdk;
}

/** With `gaxServerStreamingRetries`, because otherwise `retryCodes` does not apply to streams that have not begun. */
function openGeneratedClient(address: string): GeneratedClient {
  const [servicePath, port] = address.split(':');
  const client = new sdkModule.v1.FirestoreClient({
    projectId: 'demo',
    servicePath,
    port: Number(port),
    sslCreds: grpc.credentials.createInsecure(),
    gaxServerStreamingRetries: true,
  });
  stops.push(() => client.close());
  return client;
}

function stored(id: string, updateTime: string = TIME) {
  const name = `${DATABASE}/documents/flash/${id}`;
  return { name, fields: {}, createTime: TIME, updateTime };
}

function codeOf(error: unknown): number {
  return (error as { readonly code: number }).code;
}

describe('the SDK over REST', () => {
  const [first, second] = ['a', 'b'].map((id) => ({ document: stored(id), readTime: TIME }));
  const error = { error: { code: 503, status: 'UNAVAILABLE', message: 'Why.' } };
  const cut = JSON.stringify([first, second]).slice(0, -30);

  /** A body without a length, which ends with its connection. */
  const unframed: Reaction = ({ socket }) => {
    socket?.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${cut}`);
  };

  test.each([
    ['ends within a document, under a length that says so', respondsWithText(cut), ['a']],
    ['ends with its connection, without a length', unframed, ['a']],
    ['ends with an error', respondsWith([first, error]), ['a']],
    ['is whole', respondsWith([first, second]), ['a', 'b']],
  ])('answers a query whose response %s without an error', async (...row) => {
    const [, reaction, ids] = row;
    const server = await startScriptedServer();
    stops.push(() => server.stop());
    server.play(reaction);
    const sdk = openSdk(server.address, REST);

    const { docs } = await sdk.collection('flash').get();

    const found = docs.map(({ id }) => id);
    expectAsInReadme(found, ids);
  });
});

describe('the SDK over gRPC', () => {
  interface QueryRequest {
    readonly structuredQuery: {
      readonly limit?: number;
      readonly startAt?: { readonly values: readonly { readonly referenceValue: string }[] };
    };
  }

  const stock = Array.from({ length: 100 }, (_, index) => String(index).padStart(3, '0'));

  /** What Firestore answers to a query of 100 documents in the order of their ids. */
  function page(request: object): object[] {
    const { limit, startAt } = (request as QueryRequest).structuredQuery;
    const after = startAt?.values.at(-1)?.referenceValue.split('/').pop() ?? '';
    const ids = stock.filter((id) => id > after).slice(0, limit);
    return ids.map((id) => ({ document: stored(id), readTime: TIME }));
  }

  const progress = Array.from({ length: 5 }, () => ({ readTime: TIME }));
  const oneAfterProgress = (messages: readonly object[]) => [...progress, ...messages.slice(0, 1)];

  test.each<[number, string, Ending, (messages: readonly object[]) => readonly object[]]>([
    [15, 'five progress messages and a document', 'UNAVAILABLE', oneAfterProgress],
    [15, 'five progress messages and a document', 'CLOSED', oneAfterProgress],
  ])(
    'returns %i documents to a query for 20, whose stream sends %s and ends with %s',
    async (...row) => {
      const [returned, , ending, sent] = row;
      const { address, calls } = await startServer(({ request }) => {
        const messages = page(request);
        return calls.length === 1 ? { messages: sent(messages), ending } : { messages };
      });

      const { size } = await openSdk(address).collection('flash').limit(20).get();

      expectAsInReadme(size, returned);
    },
  );

  test('mixes two versions in getAll, if the stream breaks between two documents', async () => {
    const { address, calls } = await startServer(({ request }) => {
      const isFirst = calls.length === 1;
      const { documents } = request as { readonly documents: readonly string[] };
      const messages = documents.map((name) => ({
        found: stored(name.slice(-1), isFirst ? TIME : LATER),
        readTime: LATER,
      }));
      return isFirst ? { messages: messages.slice(0, 1), ending: 'UNAVAILABLE' } : { messages };
    });
    const sdk = openSdk(address);

    const documents = await sdk.getAll(sdk.doc('flash/a'), sdk.doc('flash/b'));

    const versions = documents.map(({ updateTime }) => updateTime?.toMillis());
    expectAsInReadme(versions, [Date.parse(TIME), Date.parse(LATER)]);
  });

  test('sends a query again after its caller has given up', async () => {
    const caller = new AbortController();
    const { address, calls } = await startServer(({ request }) => {
      caller.abort();
      return calls.length === 1 ? { ending: 'UNAVAILABLE' } : { messages: page(request) };
    });
    const query = openSdk(address).collection('flash').limit(20);

    // An option that its users have asked for. Until there is one, it is ignored.
    const get = query.get.bind(query) as (options: object) => Promise<unknown>;
    await get({ signal: caller.signal }).catch(() => undefined);

    expectAsInReadme(calls.length, 2);
  });
});

describe('the generated client', () => {
  const found = { document: stored('a'), readTime: TIME };

  test.each<[string, GrpcResponse | undefined, number]>([
    ['breaks after a document', { messages: [found], ending: 'UNAVAILABLE' }, 14],
    ['breaks before a document', { ending: 'CLOSED' }, 14],
    ['never begins', undefined, 4],
  ])('sends a query once whose response %s', async (...row) => {
    const [, response, code] = row;
    const { address, calls } = await startServer(() => response);
    const structuredQuery = { from: [{ collectionId: 'flash' }] };

    const stream = openGeneratedClient(address).runQuery(
      { parent: `${DATABASE}/documents`, structuredQuery },
      { retry: { retryCodes: [] }, timeout: 1_000 },
    );
    const error: unknown = await once(stream.resume(), 'end').catch((reason: unknown) => reason);

    expectAsInReadme({ sent: calls.length, code: codeOf(error) }, { sent: 1, code });
  });
});

describe('a commit that is applied, but whose response is lost', () => {
  const lastUpdateTime = Timestamp.fromMillis(Date.parse(TIME));

  const writers = {
    batch: (address: string) => {
      const sdk = openSdk(address);
      const batch = sdk.batch();
      return batch.update(sdk.doc('flash/a'), { n: 1 }, { lastUpdateTime }).commit();
    },
    transaction: (address: string) => {
      const sdk = openSdk(address);
      const change = (transaction: FirebaseFirestore.Transaction) => {
        transaction.update(sdk.doc('flash/a'), { n: 1 }, { lastUpdateTime });
        return Promise.resolve();
      };
      return sdk.runTransaction(change, { maxAttempts: 1 });
    },
    generatedClient: (address: string) => {
      const update = { name: stored('a').name, fields: {} };
      const currentDocument = { updateTime: { seconds: lastUpdateTime.seconds } };
      return openGeneratedClient(address).commit(
        { database: DATABASE, writes: [{ update, currentDocument }] },
        { retry: { retryCodes: [] }, timeout: 10_000 },
      );
    },
  };

  /** How often the commit is sent, and the code of the error that its caller gets. */
  async function commit(writer: (address: string) => Promise<unknown>, ending: Ending) {
    const { address, calls } = await startServer(() =>
      calls.length === 1 ? { ending } : { ending: 'FAILED_PRECONDITION' },
    );
    const error: unknown = await writer(address).catch((reason: unknown) => reason);
    return `${calls.length}, code ${codeOf(error)}`;
  }

  test.each<[Ending, string, string, string]>([
    ['UNAVAILABLE', '2, code 9', '2, code 9', '1, code 14'],
    ['RESOURCE_EXHAUSTED', '2, code 9', '2, code 9', '1, code 8'],
    ['CLOSED', '2, code 9', '2, code 9', '1, code 14'],
    ['ABORTED', '2, code 9', '1, code 10', '1, code 10'],
    ['INTERNAL', '1, code 13', '1, code 13', '1, code 13'],
    ['DEADLINE_EXCEEDED', '1, code 4', '1, code 4', '1, code 4'],
    ['UNKNOWN', '1, code 2', '1, code 2', '1, code 2'],
    ['CANCELLED', '1, code 1', '1, code 1', '1, code 1'],
  ])(
    'with %s is sent by a batch: %s; by a transaction with one attempt: %s; by the generated client: %s',
    async (...row) => {
      const [ending, batch, transaction, generatedClient] = row;

      const seen = {
        batch: await commit(writers.batch, ending),
        transaction: await commit(writers.transaction, ending),
        generatedClient: await commit(writers.generatedClient, ending),
      };

      expectAsInReadme(seen, { batch, transaction, generatedClient });
    },
  );
});
