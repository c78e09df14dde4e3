/** `npm run firestore -- COMMAND`: runs a command, such as the Firebase CLI, beside an embedded Firestore. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedFirestore } from '@tattoo-marketplace/firestore-embedded';
import { PROJECT_ID } from './addresses.ts';
import { overRest } from './adminSdk.ts';
import { runInTerminal } from './childProcess.ts';
import { portsAt } from './ports.ts';

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error('npm run firestore -- COMMAND [ARGUMENTS]');
  process.exit(1);
}
const temporary = await mkdtemp(join(tmpdir(), 'firestore-'));
try {
  const { firestore: port } = portsAt('0');
  const options = { indexes: 'firestore.indexes.json', port, onNotice: console.log };
  const firestore = await startEmbeddedFirestore(options);
  process.exitCode = await runInTerminal(command, args, {
    FIRESTORE_EMULATOR_HOST: firestore.address,
    ...(await overRest(temporary, PROJECT_ID)),
  });
  await firestore.stop();
} finally {
  await rm(temporary, { recursive: true });
}
