import { chmod, cp, mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CLIENT_FOLDER, packClient } from './packClient.ts';

/** The folder of a copy of the client. */
let copy: string;
let packed: Buffer;

beforeAll(async () => {
  packed = await packClient();
  copy = await mkdtemp(join(tmpdir(), 'client-'));
  await cp(CLIENT_FOLDER, copy, {
    recursive: true,
    filter: (path) => basename(path) !== 'node_modules',
  });
});

afterAll(() => rm(copy, { recursive: true }));

test.each([
  { umask: '077', mode: 0o600 },
  { umask: '027', mode: 0o640 },
  { umask: '002', mode: 0o664 },
])('a client from a checkout with the umask $umask has the same bytes', async ({ mode }) => {
  for (const file of ['package.json', 'README.md', 'dist/esm/index.js']) {
    await chmod(join(copy, file), mode);
    await utimes(join(copy, file), new Date(), new Date());
  }

  expect(await packClient(copy)).toEqual(packed);
});
