/** Simulates Google in this process, so that neither the network nor a database is measured. */
import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedFirestore } from '@tattoo-marketplace/firestore-embedded';
import { startGoogle } from '../../dev/google/google.ts';
import { passOn, type Reply } from '../../dev/google/replies.ts';
import { storedDocument } from '../../demo/exampleDocuments.ts';
import { Store } from '../../functions/declared/store.ts';
import { startGrpc } from './grpc.ts';

const PROJECT = 'demo-bench';

/** The owner of the documents: enough of them for a page of 20 that is not the last. */
export const WORLD = { uid: 'artist-alice', prefix: 'things', size: 60 } as const;

/** The document that all artists are made from: each gets its own number, and random characters for `OWN`. */
const ARTIST = 'users/artist-NUMBER';

/** The first name of a large artist: 100 kB. */
const LARGE_NAME = 'Alice'.repeat(20_000);

/** The time of each query of a distant Firestore, in ms. */
const DISTANCE_MS = 100;

/** The environment variables that redirect a program to a simulation. */
export type Environment = Readonly<Record<string, string>>;

/** The running simulation. */
export interface Simulation {
  /** The documents of the embedded Firestore behind it. */
  readonly store: Store;
  /** Replays Firestore's responses, over REST and gRPC. */
  readonly replaying: Environment;
  /** Makes each replayed call take so many ms. */
  readonly slowDown: (ms: number) => void;
  /** Answers from a distance, with this number of artists. All but the first 100 may be large. */
  readonly withArtists: (count: number, areLarge?: boolean) => Environment;
  /** The number of replayed calls so far. */
  readonly calls: () => number;
  readonly tokenOf: (uid: string) => string;
}

/** Starts it. It runs until this process ends. */
export async function startSimulation(): Promise<Simulation> {
  const { address: firestoreAddress } = await startEmbeddedFirestore();
  const store = new Store(firestoreAddress, PROJECT);
  const recorded = new Map<string, Promise<Reply>>();
  let calls = 0;
  let replayMs = 0;

  /** Calls Firestore once for each distinct request, and for commits of as many writes, which have a time of their own. */
  async function replay(address: string, path: string, body: string): Promise<Reply> {
    calls += 1;
    const { writes } = JSON.parse(body) as { writes?: readonly unknown[] };
    const name = `${path} ${writes?.length ?? body}`;
    const reply = recorded.get(name) ?? passOn(address, path, body);
    recorded.set(name, reply);
    if (replayMs > 0) await delay(replayMs);
    return reply;
  }

  const artist = storedDocument('users', {
    ...{ firstName: 'Alice OWN', email: 'OWN@example.com' },
    photoURL: 'https://images.example.com/users/OWN.jpg',
  });
  await store.set(ARTIST, artist);
  const options = { projectId: PROJECT, firestoreAddress };
  const google = await startGoogle({ ...options, callFirestore: replay });
  const distant = await startGoogle({ ...options, callFirestore: callDistant });
  const grpc = await startGrpc((path, body) => replay(firestoreAddress, path, body));
  return {
    store,
    replaying: { ...google.environment, ...grpc },
    slowDown: (ms) => {
      replayMs = ms;
    },
    withArtists: (count, areLarge = false) => {
      const project = `artists-${count}${areLarge ? '-large' : ''}`;
      return { ...distant.environment, GCLOUD_PROJECT: project };
    },
    calls: () => calls,
    tokenOf: (uid) => google.tokenOf(uid),
  };
}

/** A distant Firestore that has any number of artists. */
async function callDistant(address: string, path: string, sent: string): Promise<Reply> {
  // The work is part of the delay.
  const [part] = await Promise.all([artistsOf(address, path, sent), delay(DISTANCE_MS)]);
  return { status: 200, body: Buffer.from(`[${part.join()}]`) };
}

/** The elements of a part of the list of artists: as many artists as the name of the project says. */
async function artistsOf(address: string, path: string, sent: string): Promise<string[]> {
  const [project = '', count, large] = /artists-(\d+)(-large)?/.exec(path) ?? [];
  const { structuredQuery } = JSON.parse(sent) as { structuredQuery: object };
  const { startAt, limit, ...query } = structuredQuery as {
    startAt?: { values: { referenceValue: string }[] };
    limit: number;
  };
  const one = JSON.stringify({ structuredQuery: { ...query, limit: 1 } });
  const { body } = await passOn(address, path.replace(project, PROJECT), one);
  const element = body.toString().trim().slice(1, -1).replaceAll(PROJECT, project);
  const last = startAt?.values[0]?.referenceValue.slice(-6);
  const from = last === undefined ? 0 : Number(last) + 1;
  return Array.from({ length: Math.min(limit, Number(count) - from) }, (_, index) => {
    const number = String(from + index).padStart(6, '0');
    const isLarge = large !== undefined && from + index >= 100;
    const own = hash('sha256', number, 'base64url');
    let used = 0;
    return element
      .replace('NUMBER', number)
      .replace('Alice', isLarge ? LARGE_NAME : 'Alice')
      .replace(/OWN/g, () => own.slice((used += 14) - 14, used));
  });
}
