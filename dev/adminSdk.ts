import { generateKeyPairSync } from 'node:crypto';

/**
 * A service account that nobody knows. The Admin SDK over REST asks for one, also for an emulator: it signs tokens
 * with its key, but sends them nowhere.
 */
export function madeUpServiceAccount() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    type: 'service_account',
    client_email: 'nobody@demo.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
