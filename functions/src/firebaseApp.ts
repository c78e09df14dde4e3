import { deleteApp, initializeApp, type App } from 'firebase-admin/app';

let made = 0;

/**
 * A new Firebase app. Each caches Google's public keys by itself: a new one is the only way to make the Admin SDK fetch
 * them again.
 */
export function newFirebaseApp(): App {
  made += 1;
  return initializeApp(undefined, `app-${made}`);
}

/** Gives up an app; calls that are under way on it may still end. */
export function discardFirebaseApp(app: App): void {
  deleteApp(app).catch(() => undefined);
}
