/** The memory that pages take, whatever is stored and whoever asks, and what becomes of a list whose next part fails. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { useProcessService } from '../support/processService.ts';
import { createUniqueId } from '../support/firestore.ts';
import { sendRawRequest } from '../../dev/testing/sendRawRequest.ts';

const service = useProcessService();

/** A text that hardly gets smaller by compression. */
function noise(bytes: number): string {
  return randomBytes((bytes * 3) / 4).toString('base64');
}

/** An array of as many values as fit into this many bytes of Firestore's JSON. */
function valuesOfJsonSize(value: unknown, json: object, bytes: number): object {
  const count = Math.floor(bytes / (JSON.stringify(json).length + 1));
  return { tags: Array<unknown>(count).fill(value) };
}

function tinyMaps(bytes: number): object {
  return valuesOfJsonSize({}, { mapValue: { fields: {} } }, bytes);
}

/** Booleans have the largest JSON for their stored size: 1 byte becomes 23. */
function booleans(bytes: number): object {
  return valuesOfJsonSize(true, { booleanValue: true }, bytes);
}

/** Sends a request, and reads no more of the response than its headers until it is told to. */
async function slowReader(url: string, headers: Readonly<Record<string, string>>) {
  const sent = request(url, { headers, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, read: async () => text(response) };
}

const MIB = 1024 * 1024;

test.each<[what: string, callers: number, listings: number, data: () => object]>([
  ['20 listings of 50 kB', 80, 20, () => ({ notes: noise(50_000) })],
  ['12 listings of 300 kB', 40, 12, () => ({ notes: noise(300_000) })],
  ['12 listings of 900 kB', 8, 12, () => ({ notes: noise(900_000) })],
  ['20 listings of tiny maps, together just below 1 MiB', 80, 20, () => tinyMaps(50_000)],
  ['a listing of 12 MiB of booleans', 8, 1, () => booleans(12 * MIB)],
])(
  'pages of %s take %i slow callers less than the memory of an instance',
  async (_what, callers, listings, data) => {
    const artistId = createUniqueId('artist');
    for (let order = 0; order < listings; order += 1) {
      const listing = { artistId, isVisible: true, order, ...data() };
      await service.store.set(`flash/${artistId}-${order}`, listing);
    }
    const served = await service.serveWithProbe('flash-listByArtist', {
      DEADLINE_SECONDS: '30',
    });
    const urlOf = (artist: string) =>
      `${served.origin}/flash/artist/${artist}/paginated?limit=${listings}`;
    for (let n = 0; n < 100; n += 1) await fetch(urlOf(`nobody-${n}`));

    const readers = await Promise.all(
      Array.from({ length: callers }, async (_, n) =>
        slowReader(urlOf(artistId), n % 2 === 0 ? {} : { 'Accept-Encoding': 'gzip' }),
      ),
    );
    const { peakMiB } = await served.readUsage();
    const [page] = await Promise.all(readers.map(async ({ read }) => read()));

    expect(readers.map(({ status }) => status)).toEqual(Array(callers).fill(200));
    const { flash, total } = JSON.parse(page ?? '') as { flash: { id: string }[]; total: number };
    expect([flash[0]?.id, total]).toEqual([`${artistId}-0`, listings]);
    expect(peakMiB).toBeLessThan(448);
  },
);

test('artists-list returns 500 if reading its next batch fails, and keeps the process alive', async () => {
  // To compress the first hundred takes longer than the query for the others.
  const artists = Array.from({ length: 150 }, (_, n) => {
    const artistInfo = { isVerified: true, bio: noise(30_000) };
    return [`users/artist-${n}`, { userType: 'artist', artistInfo }] as const;
  });
  await service.store.setAll(artists);
  const served = await service.serve('artists-list');
  const ask = async () =>
    (await sendRawRequest(served.origin, '/artists', { headers: { 'Accept-Encoding': 'gzip' } }))
      .status;
  // Only the query for the next part starts somewhere.
  const host = 'firestore.googleapis.com';
  service.google.faultInjector.inject({ host, kind: 'status', status: 404, contains: 'startAt' });

  expect(await ask()).toBe(500);
  expect(service.google.faultInjector.clear()).toEqual([]);
  expect(await ask()).toBe(200);
});
