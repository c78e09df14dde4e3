/**
 * Removes `FIRESTORE_EMULATOR_HOST` before a test file runs. Tests that start their own Firestore would otherwise use the one
 * of the local stack: if its tests are part of the same run, the global setup sets the variable for all workers.
 */
delete process.env.FIRESTORE_EMULATOR_HOST;

export {};
