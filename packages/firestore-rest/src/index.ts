/** Firestore's REST API. */
export * from './errors.ts';
export * from './values.ts';
