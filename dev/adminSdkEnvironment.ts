import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Creates the environment variables with which `getFirestore()` connects to the embedded Firestore, which does not support
 * gRPC. Over REST the Admin SDK requires a service account: this function writes the key of a fictitious one to the folder.
 * The SDK signs tokens with the key, and sends them to the embedded Firestore only.
 */
export async function createAdminSdkEnvironment(
  folder: string,
  projectId: string,
): Promise<Readonly<Record<string, string>>> {
  const path = join(folder, 'service-account.json');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const account = {
    type: 'service_account',
    project_id: projectId,
    client_email: 'nobody@demo.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  await writeFile(path, JSON.stringify(account));
  return { FIRESTORE_PREFER_REST: 'true', GOOGLE_APPLICATION_CREDENTIALS: path };
}
