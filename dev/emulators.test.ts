import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendLogEnd } from './emulators.ts';

test('appendLogEnd appends the last 30 lines of the debug log, if there is one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'log-'));
  const path = join(folder, 'firebase-debug.log');

  expect(await appendLogEnd('Exited (2).', path)).toBe('Exited (2).');

  const lines = Array.from({ length: 40 }, (_, index) => `[debug] ${index}`);
  await writeFile(path, `${lines.join('\n')}\n`);
  const message = await appendLogEnd('Exited (2).', path);
  await rm(folder, { recursive: true });

  expect(message).toBe(
    `Exited (2).\nThe end of the debug log of the Firebase CLI:\n${lines.slice(10).join('\n')}`,
  );
});
