import { getApps, initializeApp, type App } from 'firebase-admin/app';

/** The one Firebase app of this process, made when it is first needed. */
export function firebaseApp(): App {
  return getApps().find(({ name }) => name === '[DEFAULT]') ?? initializeApp();
}
