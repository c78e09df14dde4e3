/** Simulates Google in this process, so that neither the network nor a database is measured. */
import { join } from 'node:path';
import { startEmbeddedFirestore, LocalFirestore } from '@tattoo-marketplace/firestore-embedded';
import { startFakeGoogle } from '../../dev/fakeGoogle/fakeGoogle.ts';
import { forwardToEmulator, type FakeResponse } from '../../dev/fakeGoogle/replies.ts';
import { storedDocument } from '../../demo/exampleDocuments.ts';
import { exampleRequest, storeFixture } from '../../demo/exampleRequests.ts';
import { VerifiedArtist } from '../../functions/src/artists/verifiedArtist.ts';
import { startFirestoreForSdk } from './firestoreForSdk.ts';

const PROJECT = 'demo-bench';
const ARTISTS = 25_000;

/** The owner of the documents: enough of them for a page of 20 that is not the last. */
const FIXTURE = { uid: 'artist-alice', prefix: 'things', size: 60 };

/** The running simulation. */
export type RecordedGoogle = Awaited<ReturnType<typeof startRecordedGoogle>>;

/** Starts the simulation. It runs until this process ends. */
export async function startRecordedGoogle() {
  const { address: firestoreAddress } = await startEmbeddedFirestore();
  const store = new LocalFirestore(firestoreAddress, PROJECT);
  // Without what the list leaves out, because the SDK reads whole documents.
  const Listed = VerifiedArtist.omit({ id: true, clientInfo: true, studioInfo: true });
  const artist = Listed.parse(storedDocument('users'));
  for (let from = 0; from < ARTISTS; from += 500) {
    const ids = Array.from({ length: 500 }, (_, index) => `artist-${1_000_000 + from + index}`);
    await store.setAll(ids.map((id) => [`users/${id}`, artist]));
  }
  const recorded = new Map<string, Promise<FakeResponse>>();

  /** Calls Firestore once for each distinct request, and for commits of as many writes, which have a time of their own. */
  function replay(address: string, path: string, body: string): Promise<FakeResponse> {
    const { writes } = JSON.parse(body) as { writes?: readonly unknown[] };
    const name = `${path} ${writes?.length ?? body}`;
    const reply = recorded.get(name) ?? forwardToEmulator(address, path, body);
    recorded.set(name, reply);
    return reply;
  }

  const options = { projectId: PROJECT, firestoreAddress };
  const google = await startFakeGoogle({ ...options, callFirestore: replay });
  const firestoreForSdk = await startFirestoreForSdk((path, body) =>
    replay(firestoreAddress, path, body),
  );
  const environment = {
    // As on the platform, for an instance of 512 MiB. Nothing is cached.
    NODE_OPTIONS: `--max-old-space-size=448 --require ${join(import.meta.dirname, 'proxy.cjs')}`,
    LOG_EXECUTION_ID: 'true',
    PUBLIC_CACHE_SECONDS: '0',
    PAGE_CACHE_SECONDS: '0',
    USER_REQUESTS_PER_MINUTE: '1000000',
    ...google.environment,
    ...firestoreForSdk,
    // Not by these, which take time that a start on the platform does not take, but by proxy.cjs and without certificates.
    NODE_USE_ENV_PROXY: '0',
    NODE_EXTRA_CA_CERTS: '',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    NODE_NO_WARNINGS: '1',
  };
  return {
    /** The environment variables of a program that calls it, over REST or gRPC. */
    environment,
    /** Stores the documents of all requests: some programs have deleted or changed them. */
    restore: async () => {
      await storeFixture(store, FIXTURE);
      await store.set(`users/${FIXTURE.uid}`, artist);
    },
    /** A request of Alice to a function, as in its example; `size` is the number of documents in a list of ids. */
    requestTo: (
      functionId: string,
      query?: Readonly<Record<string, string>>,
      size = FIXTURE.size,
    ) => ({
      functionId,
      ...exampleRequest(functionId, { ...FIXTURE, size }, google.createIdToken(FIXTURE.uid), query),
    }),
  };
}
