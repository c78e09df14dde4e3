import { deleteApp, initializeApp, type App } from 'firebase-admin/app';
import { fetchAccessToken } from '../accessTokens.ts';
import { projectId } from '../project.ts';

/** Accepted by the API of Firebase Auth, which is only called for revocation checks. */
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

let created = 0;

/**
 * Creates a Firebase app. Each app has its own cache of Google's public keys, so a new app is the only way to make the
 * Admin SDK fetch them again.
 */
export function newFirebaseApp(): App {
  created += 1;
  const credential = { getAccessToken: async () => fetchAccessToken(SCOPE) };
  return initializeApp({ projectId: projectId(), credential }, `app-${created}`);
}

/** Deletes an app. Calls in progress on it may still complete. */
export function discardFirebaseApp(app: App): void {
  deleteApp(app).catch(() => undefined);
}
