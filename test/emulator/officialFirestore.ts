import { execFile } from 'node:child_process';
import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePortList, LOOPBACK } from './ports.ts';
import { ROOT } from './root.ts';
import { startServer } from './serverProcess.ts';

const MAIN_CLASS = 'com.google.cloud.datastore.emulator.firestore.CloudFirestore';

/** Google's Firestore emulator. */
export interface OfficialFirestore {
  /** `host:port` */
  readonly address: string;
  /** Where it was found, as the end of a sentence. */
  readonly origin: string;
  stop(): Promise<void>;
}

/**
 * Google's Firestore emulator: the one at `FIRESTORE_EMULATOR_HOST`, or one started from the Google Cloud CLI or from
 * the Firebase CLI's cache. If there is none, the error says where it was searched for.
 */
export async function startOfficialFirestore(): Promise<OfficialFirestore> {
  const running = process.env.FIRESTORE_EMULATOR_HOST;
  if (running !== undefined) {
    const origin = 'already running (FIRESTORE_EMULATOR_HOST)';
    return { address: running, origin, stop: () => Promise.resolve() };
  }
  const found = (await inGoogleCloudCli()) ?? (await inFirebaseCache());
  if (found === undefined) {
    throw new Error(
      'The official Firestore emulator is not on this machine: FIRESTORE_EMULATOR_HOST is not set, the Google ' +
        'Cloud CLI has no component cloud-firestore-emulator, and the firebase CLI has downloaded none ' +
        '(firebase setup:emulators:firestore does).',
    );
  }
  await requireJava();
  return start(found.archive, found.origin);
}

async function start(archive: string, origin: string): Promise<OfficialFirestore> {
  const [port = 0] = await freePortList(1);
  const child = await startServer(
    'The official Firestore emulator',
    port,
    'java',
    [
      ...['-Duser.language=en', '-cp', archive, MAIN_CLASS],
      ...['--host', LOOPBACK, '--port', String(port)],
      ...['--rules', join(ROOT, 'firestore.rules')],
    ],
    { cwd: ROOT, onLine: () => undefined },
  );
  return { address: `${LOOPBACK}:${port}`, origin, stop: () => child.stop() };
}

async function inGoogleCloudCli() {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const gcloud = await realpath(join(folder, 'gcloud')).catch(() => undefined);
    if (gcloud === undefined) continue;
    const emulator = resolve(dirname(gcloud), '../platform/cloud-firestore-emulator');
    const archive = await realpath(join(emulator, 'cloud-firestore-emulator.jar')).catch(
      () => undefined,
    );
    if (archive !== undefined) return { archive, origin: 'of the Google Cloud CLI' };
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
  return newest === undefined
    ? undefined
    : { archive: join(cache, newest), origin: `of the firebase CLI (${newest})` };
}

async function requireJava(): Promise<void> {
  try {
    await promisify(execFile)('java', ['-version']);
  } catch {
    throw new Error(
      'The official Firestore emulator needs Java, and there is no java on the PATH.',
    );
  }
}
