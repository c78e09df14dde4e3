/**
 * Tries what the documents say of `npm start`, on other ports: it becomes ready, the calls of README.md and of the API's
 * description work, `npm run seed` works, and Ctrl-C stops everything. Exits with 1 if something is wrong.
 */
import { deepStrictEqual, partialDeepStrictEqual } from 'node:assert';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { demoAccount } from '../../demo/accounts.ts';
import { portsAt, requireFree } from '../../dev/ports.ts';

const PORT_OFFSET = 4000;
const OPTIONS = ['--', '--port-offset', String(PORT_OFFSET)];

const stack = spawn('npm', ['start', ...OPTIONS], {
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
});
const closed = once(stack, 'close');
let ending: unknown;
try {
  await ready();
  const readme = readFileSync('README.md', 'utf8');
  const shown: unknown = JSON.parse(/```json\n([\s\S]*?)```/.exec(readme)?.[1] ?? 'null');
  partialDeepStrictEqual(await callIn('README.md'), shown);
  const signIn = (await callIn('docs/api.md')) as { readonly idToken?: string };
  if (signIn.idToken === undefined) throw new Error('The sign-in of the description has no token.');
  await promisify(execFile)('npm', ['run', 'seed', ...OPTIONS]);
} finally {
  if (stack.exitCode === null && stack.pid !== undefined) process.kill(-stack.pid, 'SIGINT');
  ending = await closed;
}
// Both what npm start reports and what is left of it.
deepStrictEqual(ending, [0, null]);
await requireFree(portsAt(String(PORT_OFFSET)));
console.log('The documents are right about npm start.');

/** Waits for the notice that everything runs. */
async function ready(): Promise<void> {
  for await (const line of createInterface(stack.stdout)) {
    console.log(line);
    if (line.includes('The service is running.')) {
      stack.stdout.resume();
      return;
    }
  }
  throw new Error('npm start has ended.');
}

/** The response to the first call in a document, sent to the ports of the stack, with the password of the account. */
async function callIn(file: string): Promise<unknown> {
  const call = /^curl [\s\S]*?(?=\n```)/m
    .exec(readFileSync(file, 'utf8'))?.[0]
    .replace(/(?<=127\.0\.0\.1:)\d+/, (port) => String(Number(port) + PORT_OFFSET))
    .replace('"…"', JSON.stringify(demoAccount('artist-mara-voss').password));
  if (call === undefined) throw new Error(`${file} has no call.`);
  const { stdout } = await promisify(execFile)('sh', ['-c', call]);
  return JSON.parse(stdout);
}
