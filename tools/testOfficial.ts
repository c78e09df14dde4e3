/**
 * `npm run test:official`: runs the tests of the local stack, and those of the rules, on Google's Firestore emulator. Passes
 * arguments on to jest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { findOfficialFirestore, startOfficialFirestore } from '../dev/officialFirestore.ts';
import { freePortList, LOOPBACK } from '../dev/ports.ts';
import { ROOT } from '../dev/root.ts';

const official = await findOfficialFirestore().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
const [port = 0] = await freePortList(1);
const firestore = await startOfficialFirestore(official, port);
console.log(`Testing on Google’s Firestore emulator: ${official}`);
const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
const args = [...process.argv.slice(2), '--selectProjects', 'stack', 'rules'];
const tests = spawn(process.execPath, [jest, ...args], {
  stdio: 'inherit',
  env: { ...process.env, FIRESTORE_EMULATOR_HOST: `${LOOPBACK}:${port}` },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => tests.kill(signal));
}
const [code] = (await once(tests, 'close')) as [number | null];
await firestore.stop();
process.exitCode = code ?? 1;
