/** `npm run firestore -- COMMAND`: runs a command, such as the Firebase CLI, beside an embedded Firestore. */
import './unsetProxy.ts';
import './friendlyErrors.ts';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedFirestore } from '@tattoo-marketplace/firestore-embedded';
import { PROJECT_ID } from './addresses.ts';
import { createAdminSdkEnvironment } from './adminSdkEnvironment.ts';
import { runInherited } from './childProcess.ts';
import { FIREBASE_JSON, INDEXES_JSON, parseIndexes } from './configFiles.ts';
import { assertPortsFree, getPortsWithOffset } from './ports.ts';

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error('npm run firestore -- COMMAND [ARGUMENTS]');
  process.exit(1);
}
// The Firebase CLI runs another service with the firebase.json of its folder, beside which its indexes are.
const options = { config: { type: 'string', default: FIREBASE_JSON } } as const;
const { config } = parseArgs({ args, options, strict: false }).values;
const indexes = join(dirname(String(config)), INDEXES_JSON);
const temporary = await mkdtemp(join(tmpdir(), 'firestore-'));
try {
  const { firestore: port } = getPortsWithOffset('0');
  await assertPortsFree({ firestore: port });
  const firestore = await startEmbeddedFirestore({
    readIndexes: () => parseIndexes(readFileSync(indexes, 'utf8')).indexes,
    port,
    onWarning: console.log,
  });
  process.exitCode = await runInherited(command, args, {
    FIRESTORE_EMULATOR_HOST: firestore.address,
    ...(await createAdminSdkEnvironment(temporary, PROJECT_ID)),
  });
  await firestore.stop();
} finally {
  await rm(temporary, { recursive: true });
}
