import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseFirebaseConfig, parseIndexes } from '../../dev/configFiles.ts';

/** A service whose files have no rewrites and indexes: new services are copies of it. */
const NOTES = 'examples/service';

test('the rewrites and indexes of another service are written into its folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'service-'));
  try {
    await symlink(resolve(NOTES, 'src'), join(folder, 'src'), 'junction');
    for (const name of ['firebase.json', 'firestore.indexes.json']) {
      await copyFile(join(NOTES, name), join(folder, name));
    }

    await promisify(execFile)(process.execPath, ['tools/generate/otherService.ts', folder]);

    const { hosting } = parseFirebaseConfig(await readFile(join(folder, 'firebase.json'), 'utf8'));
    expect(hosting.rewrites?.map(({ source }) => source)).toEqual([
      '/api/notes/rename',
      '/api/notes/remove',
      '/api/notes/list',
      '/api/notes/create',
      '/api',
      '/api/**',
    ]);
    const indexes = parseIndexes(await readFile(join(folder, 'firestore.indexes.json'), 'utf8'));
    expect(indexes).toEqual({
      indexes: [
        {
          collectionGroup: 'notes',
          queryScope: 'COLLECTION',
          fields: [
            { fieldPath: 'author', order: 'ASCENDING' },
            { fieldPath: 'createdAt', order: 'DESCENDING' },
          ],
        },
      ],
      fieldOverrides: [],
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
