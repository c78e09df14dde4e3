import { createFirestore, type Firestore } from '@tattoo-marketplace/firestore-rest';
import { assertEmulatorReachable, getEmulatorHost } from '../../dev/emulatorHost.ts';
import { getAccessToken, signIn, useCliProxy } from '../checks/googleApi.ts';

/** Connects to the emulator of FIRESTORE_EMULATOR_HOST, or to Google like the Firebase CLI. */
export async function connectFirestore(project: string, database: string): Promise<Firestore> {
  const emulator = getEmulatorHost();
  if (emulator !== undefined) {
    await assertEmulatorReachable();
    const tokens = { get: () => 'owner', discard: () => undefined };
    return createFirestore({ project, database, emulator, tokens });
  }
  await signIn(project);
  useCliProxy();
  const tokens = { get: getAccessToken, discard: () => undefined };
  return createFirestore({ project, database, quotaProject: project, tokens });
}
