/** `npm start`: what is changed is served, and when it stops, its ports are free. */
import { randomInt } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { copyRepository } from './repositoryCopy.ts';
import { startChild } from './childProcess.ts';
import { LOOPBACK, portsWithOffset, assertPortsFree } from './ports.ts';

// The whole stack starts: minutes on a busy machine.
const LIMIT_MS = 3 * 60_000;
jest.setTimeout(LIMIT_MS + 30_000);

const POLL_MS = 100;

test('what is changed is served a little later; what does not compile is said, and changes nothing', async () => {
  const folder = await copyRepository('changed');
  const offset = String(randomInt(12_000, 20_000));
  const origin = `http://${LOOPBACK}:${portsWithOffset(offset).hosting}`;
  const lines: string[] = [];
  const program = startChild(process.execPath, ['dev/start.ts', '--port-offset', offset], {
    cwd: folder,
    onLine: (line) => lines.push(line),
  });
  const edit = async (file: string, before: string, after: string) => {
    const path = join(folder, file);
    await writeFile(path, (await readFile(path, 'utf8')).replace(before, after));
  };
  // Past the limit, everything is still stopped.
  const signal = AbortSignal.timeout(LIMIT_MS);
  const pause = () => delay(POLL_MS, undefined, { signal });
  const printed = async (text: string) => {
    while (!lines.some((line) => line.includes(text))) await pause();
  };
  const served = async (path: string, text: string) => {
    while (!(await responseTo(path)).includes(text)) await pause();
  };
  const responseTo = async (path: string) => (await fetch(`${origin}${path}`)).text();
  const ENDPOINT = 'functions/src/flash/listByArtist.ts';
  const CALL = '/api/flash/artist/alice/paginated?limit=0';
  try {
    await printed('The service is running.');
    await edit('public/index.html', '<title>', '<title>Changed ');
    await served('/', '<title>Changed ');

    await edit(ENDPOINT, 'max: 50', 'max: 40');
    await served(CALL, 'from 1 to 40');

    await edit(ENDPOINT, 'max: 40', 'max: = 30');
    await printed('[ERROR] Unexpected "="');
    expect(await responseTo(CALL)).toContain('from 1 to 40');
    await edit('demo/app/app.ts', 'import', '=');
    await printed('app.ts:2:0: ERROR: Unexpected "="');
    expect(await responseTo('/demo/')).toContain('<title>');
  } finally {
    await program.stop();
    await rm(folder, { recursive: true });
  }
  await assertPortsFree(portsWithOffset(offset));
});
