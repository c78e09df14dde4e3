/** Tests that fields of other services in user documents do not take memory of the artist list. */
import { sendRawRequest } from '../support/requests/sendRawRequest.ts';
import { useProcessService } from '../support/processes/processService.ts';

const service = useProcessService();

test('artists-list does not load unused fields: 3000 artists with 40 kB of extra data fit into memory', async () => {
  const artistInfo = { isVerified: true, cache: 'x'.repeat(40_000) };
  for (let from = 0; from < 3000; from += 200) {
    const ids = Array.from({ length: 200 }, (_, n) => `users/artist-${from + n}`);
    await service.store.setAll(ids.map((id) => [id, { userType: 'artist', artistInfo }]));
  }
  const functionProcess = await service.serveWithProbe('artists-list');

  const headers = { 'Accept-Encoding': 'gzip' };
  const { status } = await sendRawRequest(functionProcess.origin, '/artists', { headers });

  expect(status).toBe(200);
  expect((await functionProcess.readUsage()).peakMiB).toBeLessThan(350);
});
