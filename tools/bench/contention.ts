/**
 * `node tools/bench/contention.ts`: reorders listings while other programs change the same listings, on the embedded
 * Firestore with the latency of a real one. Prints the table of docs/data.md.
 */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { RequestContext } from '@tattoo-marketplace/endpoints';
import { LocalFirestore, startEmbeddedFirestore } from '@tattoo-marketplace/firestore-embedded';
import { reorderListings } from '../../functions/src/flash/flashListing.ts';
import { close, listen, LOOPBACK } from '../../dev/ports.ts';

const PROJECT = 'demo-contention';
const CALLS = 8;
const DEADLINE_MS = 10_000;

/** Assumed latencies of Firestore, in ms. */
const CASES = [
  { listings: 500, readMs: 80, commitMs: 250, writesPerSecond: [5, 10, 20] },
  { listings: 100, readMs: 30, commitMs: 80, writesPerSecond: [10, 20, 50] },
  { listings: 20, readMs: 20, commitMs: 40, writesPerSecond: [10, 50] },
];

const embedded = await startEmbeddedFirestore();
const store = new LocalFirestore(embedded.address, PROJECT);
let latency = { readMs: 0, commitMs: 0 };

/** Forwards requests to the embedded Firestore: commits take effect when their latency is over. */
const proxy = createServer((request, response) => {
  void (async () => {
    const body = await buffer(request);
    const isCommit = request.url?.includes(':commit') ?? false;
    if (isCommit) await delay(latency.commitMs);
    const { 'content-type': type = 'application/json' } = request.headers;
    const headers = { Authorization: 'Bearer owner', 'Content-Type': type };
    const method = request.method ?? 'POST';
    const forwarded = await fetch(`http://${embedded.address}${request.url ?? ''}`, {
      method,
      headers,
      body,
    });
    const text = await forwarded.text();
    if (!isCommit) await delay(latency.readMs);
    response.writeHead(forwarded.status, { 'Content-Type': 'application/json' }).end(text);
  })();
});
process.env.FIRESTORE_EMULATOR_HOST = `${LOOPBACK}:${await listen(proxy)}`;
process.env.GCLOUD_PROJECT = PROJECT;

/** Reorders an artist's listings once, while they are changed at random. */
async function reorder(artistId: string, listings: number, writesPerSecond: number) {
  const ids = Array.from({ length: listings }, (_, index) => `${artistId}-${index}`);
  await store.setAll(ids.map((id) => [`flash/${id}`, { artistId, viewCount: 0 }]));
  const writer = setInterval(() => {
    const id = ids[Math.floor(Math.random() * listings)] ?? '';
    void store.set(`flash/${id}`, { artistId, viewCount: Math.random() });
  }, 1000 / writesPerSecond);
  // The first write may happen at any moment of an attempt.
  await delay(Math.random() * 500);
  const context = new RequestContext();
  const startedAt = performance.now();
  const updates = ids.map((id, order) => ({ id, order }));
  const succeeded = await context
    .run(DEADLINE_MS, () => reorderListings(updates, artistId))
    .then(
      () => true,
      () => false,
    );
  clearInterval(writer);
  return { succeeded, seconds: (performance.now() - startedAt) / 1000, reads: context.usage.reads };
}

console.log(
  '| listings named | other writes a second, over all | succeeded | median time | reads |',
);
console.log('| --- | --- | --- | --- | --- |');
for (const { listings, writesPerSecond: rates, ...latencies } of CASES) {
  latency = latencies;
  for (const rate of rates) {
    const calls = [];
    for (let n = 0; n < CALLS; n += 1) {
      calls.push(await reorder(`artist-${listings}-${rate}-${n}`, listings, rate));
    }
    const succeeded = calls.filter((call) => call.succeeded).length;
    const seconds = calls.map((call) => call.seconds).sort((a, b) => a - b)[CALLS >> 1] ?? NaN;
    const reads = calls.reduce((sum, call) => sum + call.reads, 0) / CALLS;
    console.log(
      `| ${listings} | ${rate} | ${succeeded} of ${CALLS} | ${seconds.toFixed(1)} s | ${Math.round(reads)} |`,
    );
  }
}
await close(proxy);
await embedded.stop();
