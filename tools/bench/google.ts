/** The process that simulates Google, so that neither the network nor a database is measured. */
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedFirestore } from '../../dev/firestore/server.ts';
import { startGoogle } from '../../dev/google/google.ts';
import { passOn } from '../../dev/google/replies.ts';
import { LOOPBACK, listen } from '../../dev/ports.ts';
import { OWNER, PROJECT, projectOf } from './fixtures.ts';
import { startGrpcReplay } from './grpcReplay.ts';

/** The time of each query of a distant Firestore, in ms. */
const DISTANCE_MS = 100;

/** The environment variables that redirect a program to a simulation. */
export type Environment = Readonly<Record<string, string>>;

/** The message of the process when it is ready. */
export interface Ready {
  /** `host:port` of the embedded Firestore behind it. */
  readonly firestoreAddress: string;
  /** The token of the owner of the documents. */
  readonly token: string;
  /** Replays Firestore's responses, over REST and gRPC. */
  readonly replaying: Environment;
  /** Passes each call on. */
  readonly exact: Environment;
  /** Passes each call on after a delay. */
  readonly distant: Environment;
}

/** What the process has seen since it was last asked. */
export interface Seen {
  /** How many calls of Firestore have arrived, of every kind of simulation. */
  readonly calls: number;
  /** The artists that were read. */
  readonly artists: number;
}

let artists = 0;
const embedded = await startEmbeddedFirestore();

/** The elements of a query for artists; undefined for other calls. */
async function artistsOf(path: string, sent: string) {
  const [project, count, kind = ''] = /artists-(\d+)-(\w+)/.exec(path) ?? [];
  if (project === undefined) return undefined;
  const { structuredQuery } = JSON.parse(sent) as { structuredQuery: object };
  const { startAt, limit, ...query } = structuredQuery as {
    startAt?: { values: { referenceValue: string }[] };
    limit: number;
  };
  const one = JSON.stringify({ structuredQuery: { ...query, limit: 1 } });
  const { body } = await passOn(embedded.address, path.replace(project, projectOf(kind)), one);
  const element = body.toString().trim().slice(1, -1).replaceAll(projectOf(kind), project);
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

/** In front of the database: it makes up the lists of artists. */
async function startSource(delayMs: number): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const { url = '' } = request;
      const sent = await text(request);
      // The work below is part of the delay.
      const waited = delay(delayMs);
      const part = await artistsOf(url, sent);
      if (part !== undefined) {
        artists += part.length;
        await waited;
        response.end(`[${part.join()}]`);
        return;
      }
      const { status, body: bytes } = await passOn(embedded.address, url, sent);
      await waited;
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(bytes);
    })();
  });
  return `${LOOPBACK}:${await listen(server)}`;
}

const source = { projectId: PROJECT, firestoreAddress: await startSource(0) };
const replaying = await startGoogle({ ...source, replays: true });
const exact = await startGoogle(source);
const far = { ...source, firestoreAddress: await startSource(DISTANCE_MS) };
const distant = await startGoogle(far);
const grpc = await startGrpcReplay(source.firestoreAddress);
let before = 0;

/** The number of calls of Firestore so far. */
function allCalls(): number {
  const rest = [replaying, exact, distant].flatMap(({ requestCounts }) =>
    [...requestCounts].flatMap(([what, times]) => (what.startsWith('firestore.') ? times : [])),
  );
  return rest.reduce((sum, times) => sum + times, grpc.calls());
}

process.on('message', () => {
  const all = allCalls();
  const seen: Seen = { calls: all - before, artists };
  before = all;
  artists = 0;
  process.send?.(seen);
});
process.on('disconnect', () => process.exit());

const ready: Ready = {
  firestoreAddress: embedded.address,
  token: replaying.tokenOf(OWNER),
  replaying: { ...replaying.environment, ...grpc.environment },
  exact: exact.environment,
  distant: distant.environment,
};
process.send?.(ready);
