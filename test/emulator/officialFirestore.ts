import { execFile } from 'node:child_process';
import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Child } from './childProcess.ts';
import { LOOPBACK } from './ports.ts';
import { ROOT } from './root.ts';
import { startServer } from './serverProcess.ts';

const MAIN_CLASS = 'com.google.cloud.datastore.emulator.firestore.CloudFirestore';

/** The Java that the Firebase CLI demands; the emulator itself runs on older ones. */
export const JAVA_OF_THE_CLI = 21;

/** Google's Firestore emulator on this machine. */
export interface OfficialFirestore {
  /** Its Java archive. */
  readonly archive: string;
  /** Where it was found, as the end of a sentence. */
  readonly origin: string;
  /** The major version of Java. */
  readonly java: number;
}

/** Finds the emulator of the Google Cloud CLI or of the Firebase CLI. If there is none, the error says how to get it. */
export async function findOfficialFirestore(): Promise<OfficialFirestore> {
  const java = await javaVersion();
  const found = (await inGoogleCloudCli()) ?? (await inFirebaseCache());
  if (java !== undefined && found !== undefined) return { ...found, java };
  throw new Error(
    `Google’s Firestore emulator is missing: install Java ${JAVA_OF_THE_CLI} and run npx firebase setup:emulators:firestore`,
  );
}

/** Starts the emulator at a port. */
export async function startOfficialFirestore(
  { archive }: OfficialFirestore,
  port: number,
): Promise<Child> {
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

/** The major version of Java; undefined if there is none. */
async function javaVersion(): Promise<number | undefined> {
  try {
    const { stderr } = await promisify(execFile)('java', ['-version']);
    return Number(/version "(\d+)/.exec(stderr)?.[1]);
  } catch {
    return undefined;
  }
}
