import { unwatchFile } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { announceChanges } from './emulators.ts';

test('a change of a file that Hosting does not see is announced', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'announced-'));
  const file = join(folder, 'firebase.json');
  const { promise: announced, resolve } = Promise.withResolvers<string>();

  announceChanges(resolve, [file]);
  // Repeated, because the watcher has to see the file once before it can notice a change.
  const saving = setInterval(() => void appendFile(file, ' '), 20);

  expect(await announced).toBe(
    `${file} has changed: press Ctrl-C and run npm start again to serve it.`,
  );
  clearInterval(saving);
  unwatchFile(file);
  await rm(folder, { recursive: true });
});
