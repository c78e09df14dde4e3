/**
 * Removes `FIRESTORE_EMULATOR_HOST` before a test file runs: the service would prefer it to the Firestore that the test
 * starts itself.
 */
delete process.env.FIRESTORE_EMULATOR_HOST;

export {};
