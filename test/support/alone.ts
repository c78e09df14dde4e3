/**
 * Run before each test file that needs no stack: whatever Firestore stands beside, the stack's or one that the
 * developer has set, is none of theirs. The SDK would prefer it to the one that a test starts itself.
 */
delete process.env.FIRESTORE_EMULATOR_HOST;

export {};
