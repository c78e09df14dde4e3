import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A made-up service account. The Admin SDK over REST asks for one, also for an emulator: it signs tokens with its key,
 * but sends them nowhere.
 */
export function madeUpServiceAccount() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    type: 'service_account',
    client_email: 'nobody@demo.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/**
 * The environment variables with which `getFirestore()` reaches the embedded Firestore, which knows no gRPC. Writes the
 * key to the folder.
 */
export async function overRest(folder: string): Promise<Readonly<Record<string, string>>> {
  const file = join(folder, 'service-account.json');
  await writeFile(file, JSON.stringify(madeUpServiceAccount()));
  return { FIRESTORE_PREFER_REST: 'true', GOOGLE_APPLICATION_CREDENTIALS: file };
}
