/**
 * Tries what the documents say of `npm start`, on other ports, and of the Firebase CLI without Java: they become ready, the
 * calls of README.md and of the API's description work, `npm run seed` works, and Ctrl-C stops everything. Exits with 1 if
 * something is wrong.
 */
import { deepStrictEqual, partialDeepStrictEqual } from 'node:assert';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { getDemoAccount } from '../../demo/accounts.ts';
import { portsWithOffset, assertPortsFree } from '../../dev/ports.ts';

const PORT_OFFSET = '4000';
const OPTIONS = ['--', '--port-offset', PORT_OFFSET];
const readme = readFileSync('README.md', 'utf8');
const contributing = readFileSync('CONTRIBUTING.md', 'utf8');
const SHOWN: unknown = JSON.parse(/```json\n([\s\S]*?)```/.exec(readme)?.[1] ?? 'null');
const WITHOUT_JAVA = /`(npm run firestore -- [^`]*)`/.exec(contributing)?.[1] ?? '';

const ending = await whileRunning(['npm', 'start', ...OPTIONS], PORT_OFFSET, async () => {
  await promisify(execFile)('npm', ['run', 'seed', ...OPTIONS]);
  partialDeepStrictEqual(await callIn('README.md', PORT_OFFSET), SHOWN);
  const signIn = (await callIn('docs/api.md', PORT_OFFSET)) as { readonly idToken?: string };
  if (signIn.idToken === undefined) throw new Error('The sign-in of the description has no token.');
});
deepStrictEqual(ending, [0, null]);
// Without the Emulator UI, which the CLI downloads.
const config = JSON.parse(readFileSync('firebase.json', 'utf8')) as { emulators: object };
const withoutUi = { ...config, emulators: { ...config.emulators, ui: { enabled: false } } };
const CONFIG = '.stack-try.json';
writeFileSync(CONFIG, JSON.stringify(withoutUi));
await whileRunning([...WITHOUT_JAVA.split(' '), '--config', CONFIG], '0', async () => {
  await promisify(execFile)('npm', ['run', 'seed']);
  partialDeepStrictEqual(await callIn('README.md', '0'), SHOWN);
});
rmSync(CONFIG);
console.log('The documents are right about npm start.');

/** Runs a command, does something when it is ready, and presses Ctrl-C: then its ports are free. Returns how it ended. */
async function whileRunning(
  [command = '', ...args]: readonly string[],
  portOffset: string,
  work: () => Promise<void>,
): Promise<unknown> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const closed = once(child, 'close');
  let ending: unknown;
  try {
    for await (const line of createInterface(child.stdout)) {
      console.log(line);
      if (/The service is running\.|All emulators ready!/.test(line)) break;
    }
    child.stdout.resume();
    await work();
  } finally {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    ending = await closed;
  }
  await assertPortsFree(portsWithOffset(portOffset));
  return ending;
}

/** The response to the first call in a document, sent to the ports of the stack, with the password of the account. */
async function callIn(file: string, portOffset: string): Promise<unknown> {
  const call = /^curl [\s\S]*?(?=\n```)/m
    .exec(readFileSync(file, 'utf8'))?.[0]
    .replace(/(?<=127\.0\.0\.1:)\d+/, (port) => String(Number(port) + Number(portOffset)))
    .replace('"…"', JSON.stringify(getDemoAccount('artist-mara-voss').password));
  if (call === undefined) throw new Error(`${file} has no call.`);
  const { stdout } = await promisify(execFile)('sh', ['-c', call]);
  return JSON.parse(stdout);
}
