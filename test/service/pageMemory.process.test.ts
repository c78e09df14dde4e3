/** Tests the memory that pages and the artist list take, and the response to a list whose next batch fails. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expectEqual } from '../support/jest/expectEqual.ts';
import { selectCases } from '../support/jest/testCases.ts';
import { useBuiltService } from '../support/processes/builtService.ts';
import { createUniqueId } from '../support/requests/uniqueId.ts';
import { sendRawRequest } from '../support/requests/sendRawRequest.ts';

const service = useBuiltService();

// Longer than the slowest machine takes: the functions below have ten times their timeouts.
jest.setTimeout(6 * 60_000);
const SLOW_CLOCK = { CLOCK_SLOWDOWN: '10', DEADLINE_SECONDS: '30' };

/** Expects only responses with 200. A 503 says nothing about memory. */
function expectSuccess(statuses: readonly (number | undefined)[]): void {
  const label = '503: this machine is too slow for this test, even with ten times the timeouts';
  expectEqual(label, [...new Set(statuses)], [200]);
}

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
const GZIP = { 'Accept-Encoding': 'gzip' };

/** Listings, and the slow callers that read a page of them. */
interface PageCase {
  readonly name: string;
  readonly callers: number;
  readonly listings: number;
  readonly createData: () => object;
}

const PAGE_CASES = selectCases<PageCase>([
  {
    name: '20 listings of 50 kB',
    callers: 80,
    listings: 20,
    createData: () => ({ notes: createRandomString(50_000) }),
  },
  {
    slow: true,
    name: '12 listings of 300 kB',
    callers: 40,
    listings: 12,
    createData: () => ({ notes: createRandomString(300_000) }),
  },
  {
    slow: true,
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
    slow: true,
    name: 'a listing with 12 MiB of booleans',
    callers: 8,
    listings: 1,
    createData: () => fillWithBooleans(12 * MIB),
  },
]);

test.each(PAGE_CASES)(
  '$callers slow callers of pages with $name take less than the memory of an instance',
  async ({ callers, listings, createData }) => {
    const artistId = createUniqueId('artist');
    for (let order = 0; order < listings; order += 1) {
      const listing = { artistId, isVisible: true, order, ...createData() };
      await service.store.set(`flash/${artistId}-${order}`, listing);
    }
    const { origin, readUsage } = await service.serveWithProbe('flash-listByArtist', SLOW_CLOCK);
    const getUrl = (artist: string) =>
      `${origin}/flash/artist/${artist}/paginated?limit=${listings}`;
    for (let n = 0; n < 100; n += 1) await fetch(getUrl(`nobody-${n}`));

    const readers = await Promise.all(
      Array.from({ length: callers }, async (_, n) =>
        startReading(getUrl(artistId), n % 2 === 0 ? {} : GZIP),
      ),
    );
    const { peakMiB } = await readUsage();
    const [page] = await Promise.all(readers.map(async ({ readBody }) => readBody()));

    expectSuccess(readers.map(({ status }) => status));
    const { flash, total } = JSON.parse(page ?? '') as { flash: { id: string }[]; total: number };
    expect([flash[0]?.id, total]).toEqual([`${artistId}-0`, listings]);
    expect(peakMiB).toBeLessThan(448);
  },
);

test('artists-list returns 500 if reading its next batch fails, and keeps the process alive', async () => {
  // The first artists of the list: compressing the first batch of 100 takes longer than the query for the second batch.
  const artists = Array.from({ length: 150 }, (_, n) => {
    const artistInfo = { isVerified: true, bio: createRandomString(30_000) };
    return [`users/a-${n}`, { userType: 'artist', artistInfo }] as const;
  });
  await service.store.setAll(artists);
  const { origin } = await service.serve('artists-list');
  const sendRequest = async () =>
    (await sendRawRequest(origin, '/artists', { headers: GZIP })).status;
  // Only the query for the next batch has a start position.
  const host = 'firestore.googleapis.com';
  service.google.faultInjector.inject({ host, kind: 'status', status: 404, contains: 'startAt' });

  expect(await sendRequest()).toBe(500);
  expect(service.google.faultInjector.clear()).toEqual([]);
  expect(await sendRequest()).toBe(200);
});

test('artists-list does not load unused fields: 3000 artists with 40 kB of extra data fit into memory', async () => {
  const artistInfo = { isVerified: true, cache: 'x'.repeat(40_000) };
  for (let from = 0; from < 3000; from += 200) {
    const ids = Array.from({ length: 200 }, (_, n) => `users/artist-${from + n}`);
    await service.store.setAll(ids.map((id) => [id, { userType: 'artist', artistInfo }]));
  }
  const { origin, readUsage } = await service.serveWithProbe('artists-list', SLOW_CLOCK);

  const { status, readBody } = await startReading(`${origin}/artists`, GZIP);
  await readBody();

  expectSuccess([status]);
  expect((await readUsage()).peakMiB).toBeLessThan(350);
});
