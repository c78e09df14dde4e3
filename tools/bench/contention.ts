/**
 * `node tools/bench/contention.ts`: reorders listings while other programs change the same listings, on a fake of
 * Firestore that only keeps versions of documents. Prints the table of docs/data.md.
 */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { RequestContext } from '@tattoo-marketplace/endpoints';
import { close, listen, LOOPBACK } from '../../dev/ports.ts';
import { reorderListings } from '../../functions/src/flash/flashListing.ts';

const CALLS = 8;
const DEADLINE_MS = 10_000;
const ARTIST = 'alice';

/** Assumed latencies of Firestore in ms: they grow with the number of documents. */
const CASES = [
  { listings: 500, readMs: 80, commitMs: 250, writesPerSecond: [5, 10, 20] },
  { listings: 100, readMs: 30, commitMs: 80, writesPerSecond: [10, 20, 50] },
  { listings: 20, readMs: 20, commitMs: 40, writesPerSecond: [20, 50, 100] },
];

interface Commit {
  readonly writes: readonly {
    readonly update: { readonly name: string };
    readonly currentDocument: { readonly updateTime: string };
  }[];
}

/** The number of changes of each document. */
const versions = new Map<string, number>();
let latency = { readMs: 0, commitMs: 0 };

function getVersion(name: string): string {
  return String(versions.get(name) ?? 0);
}

function change(name: string): void {
  versions.set(name, (versions.get(name) ?? 0) + 1);
}

/** Reads documents: it takes their versions at the start of the latency. */
async function simulateRead({
  documents,
}: {
  readonly documents: readonly string[];
}): Promise<unknown> {
  const fields = { artistId: { stringValue: ARTIST } };
  const results = documents.map((name) => ({
    found: { name, fields, updateTime: getVersion(name) },
  }));
  await delay(latency.readMs);
  return results;
}

/** Commits writes at the end of the latency. Fails if a document has changed since it was read. */
async function simulateCommit({ writes }: Commit): Promise<unknown> {
  await delay(latency.commitMs);
  const hasConflict = writes.some(
    ({ update, currentDocument }) => getVersion(update.name) !== currentDocument.updateTime,
  );
  if (hasConflict) return { error: { status: 'FAILED_PRECONDITION' } };
  for (const { update } of writes) change(update.name);
  return { writeResults: writes.map(() => ({})) };
}

const firestore = createServer((request, response) => {
  void (async () => {
    const body = await json(request);
    const isCommit = request.url?.includes(':commit') ?? false;
    const result = await (isCommit
      ? simulateCommit(body as Commit)
      : simulateRead(body as { readonly documents: readonly string[] }));
    response.writeHead(isCommit && JSON.stringify(result).startsWith('{"error') ? 400 : 200);
    response.end(JSON.stringify(result));
  })();
});

/** Calls `write` at random times, which do not depend on each other. Returns a function that stops it. */
function writeAtRandom(writesPerSecond: number, write: () => void): () => void {
  let timer: NodeJS.Timeout;
  const schedule = () => {
    const seconds = -Math.log(1 - Math.random()) / writesPerSecond;
    timer = setTimeout(() => {
      write();
      schedule();
    }, seconds * 1000);
  };
  schedule();
  return () => {
    clearTimeout(timer);
  };
}

/** Reorders listings once, while other writers change random ones of them. */
async function measureReorder(listings: number, writesPerSecond: number) {
  const updates = Array.from({ length: listings }, (_, order) => ({
    id: `listing-${order}`,
    order,
  }));
  const root = 'projects/demo-contention/databases/(default)/documents/flash';
  const stopWriting = writeAtRandom(writesPerSecond, () => {
    change(`${root}/listing-${Math.floor(Math.random() * listings)}`);
  });
  const context = new RequestContext();
  const startedAt = performance.now();
  const succeeded = await context
    .run(DEADLINE_MS, () => reorderListings(updates, ARTIST))
    .then(
      () => true,
      () => false,
    );
  stopWriting();
  return { succeeded, seconds: (performance.now() - startedAt) / 1000, reads: context.usage.reads };
}

process.env.FIRESTORE_EMULATOR_HOST = `${LOOPBACK}:${await listen(firestore)}`;
process.env.GCLOUD_PROJECT = 'demo-contention';
console.log(
  '| listings named | writes of others a second | succeeded | median time | mean reads |',
);
console.log('| --- | --- | --- | --- | --- |');
for (const { listings, writesPerSecond: rates, ...latencies } of CASES) {
  latency = latencies;
  for (const rate of rates) {
    const calls = [];
    for (let n = 0; n < CALLS; n += 1) calls.push(await measureReorder(listings, rate));
    const succeeded = calls.filter((call) => call.succeeded).length;
    const [median = NaN] = calls
      .map(({ seconds }) => seconds)
      .sort((a, b) => a - b)
      .slice(CALLS / 2);
    const reads = calls.reduce((sum, call) => sum + call.reads, 0) / CALLS;
    console.log(
      `| ${listings} | ${rate} | ${succeeded} of ${CALLS} | ${median.toFixed(1)} s | ${Math.round(reads)} |`,
    );
  }
}
await close(firestore);
