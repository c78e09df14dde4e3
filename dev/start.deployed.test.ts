/** `npm start` that nobody stops in order: whatever is killed, its ports are free for the next start. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectsTo, portsAt } from './ports.ts';
import { ROOT } from './root.ts';

// The whole stack starts in each: minutes on a busy machine.
jest.setTimeout(3 * 60_000);

const POLL_MS = 100;

test.each<[NodeJS.Signals, killed: string, command: string, args: string[]]>([
  ['SIGTERM', 'npm', 'npm', ['start', '--']],
  ['SIGKILL', 'npm', 'npm', ['start', '--']],
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
