/**
 * `npm run test:official`: runs the tests of the local stack, and those of the rules, on Google's Firestore emulator. Passes
 * arguments on to jest.
 */
import './plainErrors.ts';
import { join } from 'node:path';
import { runInTerminal } from '../dev/childProcess.ts';
import { findOfficialFirestore, startOfficialFirestore } from '../dev/officialFirestore.ts';
import { freePortList, LOOPBACK } from '../dev/ports.ts';
import { ROOT } from '../dev/root.ts';

const official = await findOfficialFirestore();
const [port = 0] = await freePortList(1);
const firestore = await startOfficialFirestore(official, port);
console.log(`Testing on Google’s Firestore emulator: ${official}`);
const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
const args = [...process.argv.slice(2), '--selectProjects', 'stack', 'rules'];
process.exitCode = await runInTerminal(process.execPath, [jest, ...args], {
  FIRESTORE_EMULATOR_HOST: `${LOOPBACK}:${port}`,
});
await firestore.stop();
