/** The memory that pages take, whatever is stored and whoever asks, and what becomes of a list whose next part fails. */
import { randomBytes } from 'node:crypto';
import { deployedService } from '../support/deployedService.ts';
import { rawRequest } from '../../dev/shared/rawRequest.ts';

const service = deployedService();

/** A text that hardly gets smaller by compression. */
function noise(bytes: number): string {
  return randomBytes((bytes * 3) / 4).toString('base64');
}

test('8 callers get pages of 50 listings of 900 kB after 100 small ones, within the memory of an instance', async () => {
  const artistId = 'artist-large';
  for (let order = 0; order < 50; order += 1) {
    const notes = noise(900_000);
    await service.store.setAll([
      [`flash/large-${order}`, { artistId, isVisible: true, order, notes }],
    ]);
  }
  const served = await service.serveMeasured('flash-listByArtist');
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
    flash: [{ id: 'large-0' }],
    total: 50,
    hasMore: true,
    nextCursor: 'large-0',
  });
  expect((await served.usage()).peakMiB).toBeLessThan(448);
});

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
