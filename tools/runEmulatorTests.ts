/**
 * `npm run test:emulator`: runs the tests of the contract, the local stack and the security rules on Google's Firestore emulator,
 * which the Google Cloud CLI starts. Passes its arguments on to jest.
 */
import '../dev/friendlyErrors.ts';
import { join } from 'node:path';
import { runInherited, startServer } from '../dev/childProcess.ts';
import { findFreePorts, LOOPBACK } from '../dev/ports.ts';
import { ROOT } from '../dev/root.ts';

const [port = 0] = await findFreePorts(1);
const address = `${LOOPBACK}:${port}`;
const emulator = ['emulators', 'firestore', 'start', '--host-port', address];
const firestore = await startServer(
  'Google’s Firestore emulator (gcloud emulators firestore)',
  port,
  'gcloud',
  [...emulator, '--rules', 'firestore.rules'],
  { cwd: ROOT, onLine: () => undefined },
);
const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
// The tests of the installed client do not depend on the Firestore.
const tests = [
  '--selectProjects',
  'stack',
  'emulator',
  '--testPathIgnorePatterns',
  'packages/client/',
];
const args = [...process.argv.slice(2), ...tests];
process.exitCode = await runInherited(process.execPath, [jest, ...args], {
  TEST_EMULATOR_HOST: address,
});
await firestore.stop();
