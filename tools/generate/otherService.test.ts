import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const NOTES = 'dev/testing/notes';

test('the rewrites and indexes of another service are written into its folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'service-'));
  try {
    await symlink(resolve(NOTES, 'src'), join(folder, 'src'), 'junction');
    const config = JSON.parse(await readFile(join(NOTES, 'firebase.json'), 'utf8')) as {
      readonly hosting: object;
    };
    const empty = { ...config, hosting: { ...config.hosting, rewrites: [] } };
    await writeFile(join(folder, 'firebase.json'), JSON.stringify(empty));
    await writeFile(join(folder, 'firestore.indexes.json'), '{"indexes":[],"fieldOverrides":[]}');

    await promisify(execFile)(process.execPath, ['tools/generate/otherService.ts', folder]);

    for (const name of ['firebase.json', 'firestore.indexes.json']) {
      const written = JSON.parse(await readFile(join(folder, name), 'utf8')) as unknown;
      // These files are the example that a new service copies.
      expect(written).toEqual(JSON.parse(await readFile(join(NOTES, name), 'utf8')));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
