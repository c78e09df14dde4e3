import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startServer, type Child } from './childProcess.ts';
import { LOOPBACK } from './ports.ts';
import { ROOT } from './root.ts';

const MAIN_CLASS = 'com.google.cloud.datastore.emulator.firestore.CloudFirestore';

/** The oldest Java that the Firebase CLI accepts; the emulator of the Google Cloud CLI runs on older ones. */
const JAVA_OF_FIREBASE = 21;

/** Finds the Java archive of Google's Firestore emulator: of the Firebase CLI or of the Google Cloud CLI. If there is none, the error says how to get it. */
export async function findOfficialFirestore(): Promise<string> {
  const [java, cloud, firebase] = await Promise.all([
    javaVersion(),
    inGoogleCloudCli(),
    inFirebaseCache(),
  ]);
  if (firebase && java >= JAVA_OF_FIREBASE) return firebase;
  const archive = cloud ?? firebase;
  if (archive && java > 0) return archive;
  throw new Error(
    `Google’s Firestore emulator is missing: install Java ${JAVA_OF_FIREBASE} and run npx firebase setup:emulators:firestore`,
  );
}

/** Starts the emulator at a port. */
export async function startOfficialFirestore(archive: string, port: number): Promise<Child> {
  return startServer(
    'Google’s Firestore emulator',
    port,
    'java',
    [
      ...['-Duser.language=en', '-cp', archive, MAIN_CLASS],
      ...['--host', LOOPBACK, '--port', String(port)],
      ...['--rules', join(ROOT, 'firestore.rules')],
    ],
    { cwd: ROOT, onLine: () => undefined },
  );
}

async function inGoogleCloudCli() {
  const file = '../../platform/cloud-firestore-emulator/cloud-firestore-emulator.jar';
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const gcloud = await realpath(join(folder, 'gcloud')).catch(() => '');
    const archive = resolve(gcloud, file);
    if (gcloud && existsSync(archive)) return archive;
  }
  return undefined;
}

async function inFirebaseCache() {
  const cache =
    process.env.FIREBASE_EMULATORS_PATH ?? join(homedir(), '.cache', 'firebase', 'emulators');
  const files = await readdir(cache).catch(() => []);
  const newest = files
    .filter((name) => /^cloud-firestore-emulator-v.*\.jar$/.test(name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1);
  return newest && join(cache, newest);
}

/** The major version of Java; 0 if there is none. */
async function javaVersion(): Promise<number> {
  try {
    const { stderr } = await promisify(execFile)('java', ['-version']);
    return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
