/** Simulates Google in this process, so that neither the network nor a database is measured. */
import { startEmbeddedFirestore } from '@tattoo-marketplace/firestore-embedded';
import { startGoogle } from '../../dev/google/google.ts';
import { passOn, type Reply } from '../../dev/google/replies.ts';
import { storedDocument } from '../../demo/exampleDocuments.ts';
import { storeExampleWorld } from '../../demo/exampleRequests.ts';
import { Store } from '../../functions/declared/store.ts';
import { startGrpc } from './grpc.ts';

const PROJECT = 'demo-bench';

/** The owner of the documents: enough of them for a page of 20 that is not the last. */
export const WORLD = { uid: 'artist-alice', prefix: 'things', size: 60 } as const;

/** The running simulation. */
export interface Simulation {
  /** Stores the documents of all requests: some programs have deleted or changed them. */
  readonly restore: () => Promise<void>;
  /** The environment variables that redirect a program to it, over REST and gRPC. */
  readonly environment: Readonly<Record<string, string>>;
  readonly tokenOf: (uid: string) => string;
}

/** Starts it, with so many artists. It runs until this process ends. */
export async function startSimulation(artists: number): Promise<Simulation> {
  const { address: firestoreAddress } = await startEmbeddedFirestore();
  const store = new Store(firestoreAddress, PROJECT);
  // With nothing that the service leaves out of its list.
  const left = new Set(['clientInfo', 'studioInfo', 'integrations']);
  const artist = Object.fromEntries(
    Object.entries(storedDocument('users')).filter(([name]) => !left.has(name)),
  );
  for (let from = 0; from < artists; from += 500) {
    const ids = Array.from({ length: 500 }, (_, index) => `artist-${1_000_000 + from + index}`);
    await store.setAll(ids.map((id) => [`users/${id}`, artist]));
  }
  const recorded = new Map<string, Promise<Reply>>();

  /** Calls Firestore once for each distinct request, and for commits of as many writes, which have a time of their own. */
  function replay(address: string, path: string, body: string): Promise<Reply> {
    const { writes } = JSON.parse(body) as { writes?: readonly unknown[] };
    const name = `${path} ${writes?.length ?? body}`;
    const reply = recorded.get(name) ?? passOn(address, path, body);
    recorded.set(name, reply);
    return reply;
  }

  const options = { projectId: PROJECT, firestoreAddress };
  const google = await startGoogle({ ...options, callFirestore: replay });
  const grpc = await startGrpc((path, body) => replay(firestoreAddress, path, body));
  const environment = { ...google.environment, ...grpc };
  const restore = async () => {
    await storeExampleWorld(store, WORLD);
    await store.set(`users/${WORLD.uid}`, artist);
  };
  return { restore, environment, tokenOf: (uid) => google.tokenOf(uid) };
}
