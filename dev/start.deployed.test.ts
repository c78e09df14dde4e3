/** `npm start`: whatever is killed, its ports are free for the next start, and what is changed is served. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { copyRepository } from './repositoryCopy.ts';
import { startChild } from './childProcess.ts';
import { connectsTo, LOOPBACK, portsAt } from './ports.ts';
import { ROOT } from './root.ts';

// The whole stack starts in each: minutes on a busy machine.
const LIMIT_MS = 3 * 60_000;
jest.setTimeout(LIMIT_MS + 30_000);

const POLL_MS = 100;

test.each<[NodeJS.Signals, killed: string, command: string, args: string[]]>([
  ['SIGTERM', 'npm', 'npm', ['start', '--']],
  ['SIGKILL', 'dev/start.ts', process.execPath, ['dev/start.ts']],
])('the stack ends when %s reaches %s', async (signal, _killed, command, args) => {
  const offset = String(randomInt(12_000, 20_000));
  const ports = Object.values(portsAt(offset));
  const used = async () => (await Promise.all(ports.map(connectsTo))).filter(Boolean).length;
  // A program that is killed leaves its files.
  const temporary = await mkdtemp(join(tmpdir(), 'start-'));
  const starter = spawn(command, [...args, '--port-offset', offset], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    // Complete when all programs that write to it have ended.
    const output = starter.stdout.toArray();
    while ((await used()) < ports.length) {
      expect(starter.exitCode).toBeNull();
      await delay(POLL_MS);
    }

    starter.kill(signal);
    await output;
    while ((await used()) > 0) await delay(POLL_MS);

    expect(await used()).toBe(0);
  } finally {
    starter.kill('SIGKILL');
    await rm(temporary, { recursive: true });
    const { hosting } = portsAt(offset);
    for (const path of [`.stack-${hosting}.json`, `.hosting/local-${hosting}`]) {
      await rm(join(ROOT, path), { recursive: true, force: true });
    }
  }
});

test('what is changed is served a little later; what does not compile is said, and changes nothing', async () => {
  const folder = await copyRepository('changed');
  const offset = String(randomInt(12_000, 20_000));
  const origin = `http://${LOOPBACK}:${portsAt(offset).hosting}`;
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
});
