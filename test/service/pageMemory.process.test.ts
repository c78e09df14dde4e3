/** Tests the memory that pages take, and the response to a list whose next batch fails. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { useProcessService } from '../support/processes/processService.ts';
import { createUniqueId } from '../support/requests/uniqueId.ts';
import { sendRawRequest } from '../support/requests/sendRawRequest.ts';

const service = useProcessService();

/** Creates a string that compression hardly shortens. */
function createRandomString(bytes: number): string {
  return randomBytes((bytes * 3) / 4).toString('base64');
}

/** Creates a field with equal values whose JSON in Firestore's API has this size. */
function fillField(value: unknown, json: object, bytes: number): object {
  const count = Math.floor(bytes / (JSON.stringify(json).length + 1));
  return { tags: Array<unknown>(count).fill(value) };
}

function fillWithMaps(bytes: number): object {
  return fillField({}, { mapValue: { fields: {} } }, bytes);
}

/** Booleans have the largest JSON for their stored size: 1 byte becomes 23. */
function fillWithBooleans(bytes: number): object {
  return fillField(true, { booleanValue: true }, bytes);
}

/** Sends a request, and waits for the headers of the response. Returns its status, and a function that reads its body. */
async function startReading(url: string, headers: Readonly<Record<string, string>>) {
  const clientRequest = request(url, { headers, agent: false }).end();
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
  return { status: response.statusCode, readBody: async () => text(response) };
}

const MIB = 1024 * 1024;

test.each<{ name: string; callers: number; listings: number; createData: () => object }>([
  {
    name: '20 listings of 50 kB',
    callers: 80,
    listings: 20,
    createData: () => ({ notes: createRandomString(50_000) }),
  },
  {
    name: '12 listings of 300 kB',
    callers: 40,
    listings: 12,
    createData: () => ({ notes: createRandomString(300_000) }),
  },
  {
    name: '12 listings of 900 kB',
    callers: 8,
    listings: 12,
    createData: () => ({ notes: createRandomString(900_000) }),
  },
  {
    name: '20 listings of tiny maps, together just below 1 MiB',
    callers: 80,
    listings: 20,
    createData: () => fillWithMaps(50_000),
  },
  {
    name: 'a listing with 12 MiB of booleans',
    callers: 8,
    listings: 1,
    createData: () => fillWithBooleans(12 * MIB),
  },
])(
  '$callers slow callers of pages with $name take less than the memory of an instance',
  async ({ callers, listings, createData }) => {
    const artistId = createUniqueId('artist');
    for (let order = 0; order < listings; order += 1) {
      const listing = { artistId, isVisible: true, order, ...createData() };
      await service.store.set(`flash/${artistId}-${order}`, listing);
    }
    const { origin, readUsage } = await service.serveWithProbe('flash-listByArtist', {
      DEADLINE_SECONDS: '30',
    });
    const getUrl = (artist: string) =>
      `${origin}/flash/artist/${artist}/paginated?limit=${listings}`;
    for (let n = 0; n < 100; n += 1) await fetch(getUrl(`nobody-${n}`));

    const readers = await Promise.all(
      Array.from({ length: callers }, async (_, n) =>
        startReading(getUrl(artistId), n % 2 === 0 ? {} : { 'Accept-Encoding': 'gzip' }),
      ),
    );
    const { peakMiB } = await readUsage();
    const [page] = await Promise.all(readers.map(async ({ readBody }) => readBody()));

    expect(readers.map(({ status }) => status)).toEqual(Array(callers).fill(200));
    const { flash, total } = JSON.parse(page ?? '') as { flash: { id: string }[]; total: number };
    expect([flash[0]?.id, total]).toEqual([`${artistId}-0`, listings]);
    expect(peakMiB).toBeLessThan(448);
  },
);

test('artists-list returns 500 if reading its next batch fails, and keeps the process alive', async () => {
  // Compressing the first batch of 100 takes longer than the query for the second batch.
  const artists = Array.from({ length: 150 }, (_, n) => {
    const artistInfo = { isVerified: true, bio: createRandomString(30_000) };
    return [`users/artist-${n}`, { userType: 'artist', artistInfo }] as const;
  });
  await service.store.setAll(artists);
  const { origin } = await service.serve('artists-list');
  const sendRequest = async () =>
    (await sendRawRequest(origin, '/artists', { headers: { 'Accept-Encoding': 'gzip' } })).status;
  // Only the query for the next batch has a start position.
  const host = 'firestore.googleapis.com';
  service.google.faultInjector.inject({ host, kind: 'status', status: 404, contains: 'startAt' });

  expect(await sendRequest()).toBe(500);
  expect(service.google.faultInjector.clear()).toEqual([]);
  expect(await sendRequest()).toBe(200);
});
