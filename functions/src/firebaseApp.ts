import { deleteApp, initializeApp, type App } from 'firebase-admin/app';

let created = 0;

/**
 * Creates a Firebase app. Each app has its own cache of Google's public keys, so a new app is the only way to make the
 * Admin SDK fetch them again.
 */
export function newFirebaseApp(): App {
  created += 1;
  return initializeApp(undefined, `app-${created}`);
}

/** Deletes an app. Calls in progress on it may still complete. */
export function discardFirebaseApp(app: App): void {
  deleteApp(app).catch(() => undefined);
}
