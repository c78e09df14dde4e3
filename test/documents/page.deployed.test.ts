/** The memory that pages take, whatever is stored and whoever asks, and what becomes of a list whose next part fails. */
import { randomBytes } from 'node:crypto';
import { deployedService } from '../support/deployedService.ts';
import { freshId } from '../support/firestore.ts';
import { rawRequest } from '../support/rawRequest.ts';

const service = deployedService();

/** A text that hardly gets smaller by compression. */
function noise(bytes: number): string {
  return randomBytes((bytes * 3) / 4).toString('base64');
}

test.each<[what: string, listings: number, data: () => object]>([
  ['12 listings of 900 kB', 12, () => ({ notes: noise(900_000) })],
  // 15 MiB of JSON, which takes several times that once it is parsed.
  ['a listing of 800 000 tiny values', 1, () => ({ tags: Array<string>(800_000).fill('') })],
])(
  '8 callers get pages of %s after 100 small ones, within the memory of an instance',
  async (...row) => {
    const [, listings, data] = row;
    const artistId = freshId('artist');
    for (let order = 0; order < listings; order += 1) {
      const listing = { artistId, isVisible: true, order, ...data() };
      await service.store.set(`flash/${artistId}-${order}`, listing);
    }
    const served = await service.serveMeasured('flash-listByArtist', { DEADLINE_SECONDS: '30' });
    const ask = async (artist: string, limit: number, headers = {}) =>
      rawRequest(served.origin, `/flash/artist/${artist}/paginated?limit=${limit}`, { headers });
    for (let n = 0; n < 100; n += 1) await ask(`nobody-${n}`, 20);

    // Each of them is read anew, because each has another limit.
    const pages = await Promise.all(
      Array.from({ length: 8 }, async (_, n) =>
        ask(artistId, 50 - n, n % 2 === 0 ? {} : { 'Accept-Encoding': 'gzip' }),
      ),
    );

    expect(pages.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(JSON.parse(pages[0]?.text ?? '')).toMatchObject({
      flash: [{ id: `${artistId}-0` }],
      total: listings,
      hasMore: listings > 1,
    });
    expect((await served.usage()).peakMiB).toBeLessThan(448);
  },
);

test('a list whose next part fails while this one is processed is 500, and the process goes on', async () => {
  // To compress the first hundred takes longer than the query for the others.
  const artists = Array.from({ length: 150 }, (_, n) => {
    const artistInfo = { isVerified: true, bio: noise(30_000) };
    return [`users/artist-${n}`, { userType: 'artist', artistInfo }] as const;
  });
  await service.store.setAll(artists);
  const served = await service.serve('artists-list');
  const ask = async () =>
    (await rawRequest(served.origin, '/artists', { headers: { 'Accept-Encoding': 'gzip' } }))
      .status;
  // Only the query for the next part starts somewhere.
  const host = 'firestore.googleapis.com';
  service.google.faults.inject({ host, kind: 'status', status: 404, about: 'startAt' });

  expect(await ask()).toBe(500);
  expect(service.google.faults.heal()).toEqual([]);
  expect(await ask()).toBe(200);
});
