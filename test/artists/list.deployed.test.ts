/** The memory that the artist list takes, whatever other services store in users. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { freePortList, LOOPBACK } from '../../dev/ports.ts';
import { rawRequest } from '../../dev/shared/rawRequest.ts';
import type { ResourceUsage } from '../service/probe.ts';
import { deployedService } from '../support/deployedService.ts';

const service = deployedService();

test('40 kB in a field that no response has, in each of 3000 artists, do not reach the function', async () => {
  const artistInfo = { isVerified: true, cache: 'x'.repeat(40_000) };
  for (let from = 0; from < 3000; from += 200) {
    const ids = Array.from({ length: 200 }, (_, n) => `users/artist-${from + n}`);
    await service.store.setAll(ids.map((id) => [id, { userType: 'artist', artistInfo }]));
  }
  const [port = 0] = await freePortList(1);
  const served = await service.serve('artists-list', {
    NODE_OPTIONS: `--max-old-space-size=448 --import ${pathToFileURL('test/service/probe.ts').href}`,
    PROBE_PORT: String(port),
  });

  const headers = { 'Accept-Encoding': 'gzip' };
  const { status } = await rawRequest(served.origin, '/artists', { headers });

  expect(status).toBe(200);
  const { peakMiB } = JSON.parse(await text(connect(port, LOOPBACK))) as ResourceUsage;
  expect(peakMiB).toBeLessThan(350);
});
