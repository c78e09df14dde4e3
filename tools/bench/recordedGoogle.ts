/** Records the responses of the fake Google once and replays them, so that the benchmark measures neither a network nor a database. */
import { join } from 'node:path';
import { startEmbeddedFirestore, EmulatorClient } from '@tattoo-marketplace/firestore-embedded';
import { startFakeGoogle } from '../../test/support/google/fakeGoogle.ts';
import { forwardToEmulator, type FakeResponse } from '../../test/support/google/responses.ts';
import { createStoredDocument } from '../../test/support/requests/exampleDocuments.ts';
import { createExampleRequest, storeFixture } from '../../test/support/requests/exampleRequests.ts';
import { VerifiedArtist } from '../../functions/src/artists/verifiedArtist.ts';
import { startFirestoreForSdk } from './firestoreForSdk.ts';

const PROJECT = 'demo-bench';
const ARTISTS = 25_000;

/** The owner and the number of documents. A page of 20 is not the last page. */
const FIXTURE = { uid: 'artist-alice', prefix: 'things', size: 60 };

/** A running recording of Google. */
export type RecordedGoogle = Awaited<ReturnType<typeof startRecordedGoogle>>;

/** Starts the fake Google with its recording. It runs until this process exits. */
export async function startRecordedGoogle() {
  const { address: firestoreAddress } = await startEmbeddedFirestore();
  const store = new EmulatorClient(firestoreAddress, PROJECT);
  // Omits the fields that the list does not have, because the SDK reads entire documents.
  const ListedArtist = VerifiedArtist.omit({ id: true, clientInfo: true, studioInfo: true });
  const artist = ListedArtist.parse(createStoredDocument('users'));
  for (let from = 0; from < ARTISTS; from += 500) {
    const ids = Array.from({ length: 500 }, (_, index) => `artist-${1_000_000 + from + index}`);
    await store.setAll(ids.map((id) => [`users/${id}`, artist]));
  }
  const recording = new Map<string, Promise<FakeResponse>>();

  /** Calls Firestore once for each distinct request. Commits with the same number of writes only differ in the time: they count as one request. */
  function replay(address: string, path: string, body: string): Promise<FakeResponse> {
    const { writes } = JSON.parse(body) as { writes?: readonly unknown[] };
    const name = `${path} ${writes?.length ?? body}`;
    const response = recording.get(name) ?? forwardToEmulator(address, path, body);
    recording.set(name, response);
    return response;
  }

  const options = { projectId: PROJECT, firestoreAddress };
  const google = await startFakeGoogle({ ...options, callFirestore: replay });
  const firestoreForSdk = await startFirestoreForSdk((path, body) =>
    replay(firestoreAddress, path, body),
  );
  const environment = {
    // The settings of the platform for an instance of 512 MiB, without caching of responses.
    // The quotes allow spaces in the path.
    NODE_OPTIONS: `--max-old-space-size=448 --require "${join(import.meta.dirname, 'proxy.cjs')}"`,
    LOG_EXECUTION_ID: 'true',
    PUBLIC_CACHE_SECONDS: '0',
    PAGE_CACHE_SECONDS: '0',
    USER_REQUESTS_PER_MINUTE: '1000000',
    ...google.environment,
    ...firestoreForSdk,
    // proxy.cjs replaces these settings, and certificates are not checked: both take time that a start on the platform does not.
    NODE_USE_ENV_PROXY: '0',
    NODE_EXTRA_CA_CERTS: '',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    NODE_NO_WARNINGS: '1',
  };
  return {
    /** The environment variables of a program that calls Google over REST or gRPC. */
    environment,
    /** Stores the documents of all requests again: programs delete or change them. */
    restore: async () => {
      await storeFixture(store, FIXTURE);
      await store.set(`users/${FIXTURE.uid}`, artist);
    },
    /** Creates the example request of a function for Alice. `size` is the number of documents in a list of ids. */
    createRequest: (
      functionId: string,
      query?: Readonly<Record<string, string>>,
      size = FIXTURE.size,
    ) => ({
      functionId,
      ...createExampleRequest(
        functionId,
        { ...FIXTURE, size },
        google.createIdToken(FIXTURE.uid),
        query,
      ),
    }),
  };
}
