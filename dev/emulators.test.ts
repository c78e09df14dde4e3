import { unwatchFile } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { announceChanges } from './emulators.ts';

test('a change of firebase.json, which the emulators do not see, is announced', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'announced-'));
  const file = join(folder, 'firebase.json');
  const { promise: announced, resolve } = Promise.withResolvers<string>();

  announceChanges(resolve, file);
  // Again and again, because the watcher first has to see the file without the change.
  const saving = setInterval(() => void appendFile(file, ' '), 20);

  expect(await announced).toMatch(/^firebase\.json has changed: .* run npm start again/);
  clearInterval(saving);
  unwatchFile(file);
  await rm(folder, { recursive: true });
});
