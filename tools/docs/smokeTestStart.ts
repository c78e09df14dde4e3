/**
 * Follows the instructions of the documents for `npm start`, on other ports, and for the Firebase CLI without Java: both become
 * ready, the first calls of README.md and docs/api.md work, `npm run seed` works, and Ctrl-C stops everything. Exits with 1
 * otherwise.
 */
import { deepStrictEqual, partialDeepStrictEqual } from 'node:assert';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { getDemoAccount } from '../../demo/accounts.ts';
import { FIREBASE_JSON, parseConfigFile } from '../../dev/configFiles.ts';
import { getPortsWithOffset, assertPortsFree } from '../../dev/ports.ts';

const PORT_OFFSET = '4000';
const OFFSET_OPTIONS = ['--', '--port-offset', PORT_OFFSET];
const readme = readFileSync('README.md', 'utf8');
const contributing = readFileSync('CONTRIBUTING.md', 'utf8');
const DOCUMENTED_RESPONSE: unknown = JSON.parse(
  /```json\n([\s\S]*?)```/.exec(readme)?.[1] ?? 'null',
);
const EMULATORS_COMMAND = /`(npm run firestore -- [^`]*)`/.exec(contributing)?.[1] ?? '';

const exit = await runWithCommand(['npm', 'start', ...OFFSET_OPTIONS], PORT_OFFSET, async () => {
  await promisify(execFile)('npm', ['run', 'seed', ...OFFSET_OPTIONS]);
  partialDeepStrictEqual(await runCurlFrom('README.md', PORT_OFFSET), DOCUMENTED_RESPONSE);
  const signIn = (await runCurlFrom('docs/api.md', PORT_OFFSET)) as { readonly idToken?: string };
  if (signIn.idToken === undefined)
    throw new Error('The sign-in of docs/api.md returned no token.');
});
deepStrictEqual(exit, [0, null]);
// Without the Emulator UI, which the CLI downloads.
const config = parseConfigFile(FIREBASE_JSON) as { emulators: object };
const withoutUi = { ...config, emulators: { ...config.emulators, ui: { enabled: false } } };
const CONFIG = '.stack-try.json';
writeFileSync(CONFIG, JSON.stringify(withoutUi));
await runWithCommand([...EMULATORS_COMMAND.split(' '), '--config', CONFIG], '0', async () => {
  await promisify(execFile)('npm', ['run', 'seed']);
  partialDeepStrictEqual(await runCurlFrom('README.md', '0'), DOCUMENTED_RESPONSE);
});
rmSync(CONFIG);
console.log('npm start works as documented.');

/**
 * Starts a command, calls `work` when the command is ready, and presses Ctrl-C. Throws if the ports are not free then. Returns
 * the exit code and the signal of the command.
 */
async function runWithCommand(
  [command = '', ...args]: readonly string[],
  portOffset: string,
  work: () => Promise<void>,
): Promise<unknown> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const closed = once(child, 'close');
  let exit: unknown;
  try {
    for await (const line of createInterface(child.stdout)) {
      console.log(line);
      if (/The service is running\.|All emulators ready!/.test(line)) break;
    }
    child.stdout.resume();
    await work();
  } finally {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    exit = await closed;
  }
  await assertPortsFree(getPortsWithOffset(portOffset));
  return exit;
}

/** Runs the first curl command of a document that calls the local stack, with the ports of the stack and the password of the demo account. Returns the response. */
async function runCurlFrom(file: string, portOffset: string): Promise<unknown> {
  const call = /^curl "?http:\/\/127[\s\S]*?(?=\n```)/m
    .exec(readFileSync(file, 'utf8'))?.[0]
    .replace(/(?<=127\.0\.0\.1:)\d+/, (port) => String(Number(port) + Number(portOffset)))
    .replace('"…"', JSON.stringify(getDemoAccount('artist-mara-voss').password));
  if (call === undefined) throw new Error(`${file} has no curl command.`);
  const { stdout } = await promisify(execFile)('sh', ['-c', call]);
  return JSON.parse(stdout);
}
