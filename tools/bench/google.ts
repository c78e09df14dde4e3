/** The process that simulates Google, so that neither the network nor a database is measured. */
import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedFirestore } from '../../dev/firestore/server.ts';
import { startGoogle } from '../../dev/google/google.ts';
import { passOn, type Reply } from '../../dev/google/replies.ts';
import { startGrpcReplay } from './grpcReplay.ts';
import { OWNER, PROJECT } from './names.ts';

/** The time of each query of a distant Firestore, in ms. */
const DISTANCE_MS = 100;

/** The environment variables that redirect a program to a simulation. */
export type Environment = Readonly<Record<string, string>>;

/** The message of the process when it is ready. Any message to it asks for the number of calls of Firestore so far. */
export interface Ready {
  /** `host:port` of the embedded Firestore behind it. */
  readonly firestoreAddress: string;
  /** The token of the owner of the documents. */
  readonly token: string;
  /** Replays Firestore's responses, over REST and gRPC. */
  readonly replaying: Environment;
  /** Has any number of artists, and takes its time. */
  readonly distant: Environment;
}

const embedded = await startEmbeddedFirestore();
const { address: firestoreAddress } = embedded;

/** The elements of a part of the list of artists: as many artists as the name of the project says. */
async function artistsOf(path: string, sent: string): Promise<string[]> {
  const [project = '', count] = /artists-(\d+)/.exec(path) ?? [];
  const { structuredQuery } = JSON.parse(sent) as { structuredQuery: object };
  const { startAt, limit, ...query } = structuredQuery as {
    startAt?: { values: { referenceValue: string }[] };
    limit: number;
  };
  const one = JSON.stringify({ structuredQuery: { ...query, limit: 1 } });
  const { body } = await passOn(firestoreAddress, path.replace(project, PROJECT), one);
  const element = body.toString().trim().slice(1, -1).replaceAll(PROJECT, project);
  const last = startAt?.values[0]?.referenceValue.slice(-6);
  const from = last === undefined ? 0 : Number(last) + 1;
  return Array.from({ length: Math.min(limit, Number(count) - from) }, (_, index) => {
    const number = String(from + index).padStart(6, '0');
    const own = hash('sha256', number, 'base64url');
    let used = 0;
    return element
      .replace('NUMBER', number)
      .replace(/OWN/g, () => own.slice((used += 14) - 14, used));
  });
}

/** A distant Firestore that has any number of artists. */
async function callDistant(_address: string, path: string, sent: string): Promise<Reply> {
  // The work is part of the delay.
  const waited = delay(DISTANCE_MS);
  const part = await artistsOf(path, sent);
  await waited;
  return { status: 200, body: Buffer.from(`[${part.join()}]`) };
}

const recorded = new Map<string, Promise<Reply>>();

/** Calls Firestore once for each distinct request, and for commits of as many writes, which have a time of their own. */
async function replay(address: string, path: string, body: string): Promise<Reply> {
  const { writes } = JSON.parse(body) as { writes?: readonly unknown[] };
  const name = `${path} ${writes?.length ?? body}`;
  const reply = recorded.get(name) ?? passOn(address, path, body);
  recorded.set(name, reply);
  return reply;
}

const options = { projectId: PROJECT, firestoreAddress };
const replaying = await startGoogle({ ...options, callFirestore: replay });
const distant = await startGoogle({ ...options, callFirestore: callDistant });
const grpc = await startGrpcReplay(firestoreAddress);

process.on('message', () => {
  const overRest = [...replaying.requestCounts].map(([what, times]) =>
    what.startsWith('firestore.') ? times : 0,
  );
  process.send?.(overRest.reduce((sum, times) => sum + times, grpc.calls()));
});
process.on('disconnect', () => process.exit());

const ready: Ready = {
  firestoreAddress,
  token: replaying.tokenOf(OWNER),
  replaying: { ...replaying.environment, ...grpc.environment },
  distant: distant.environment,
};
process.send?.(ready);
