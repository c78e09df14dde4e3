/**
 * Run before each test file that needs no stack: whatever Firestore stands beside, the stack's or one that the
 * developer has set, is none of theirs. The SDK would prefer it to the one that a test starts itself.
 */
delete process.env.FIRESTORE_EMULATOR_HOST;

// What the service logs goes nowhere here: tests that are about it listen to the logger. The SDK's logger takes what
// the console offers while it is loaded.
const { info, warn, error } = console;
const nowhere = () => undefined;
Object.assign(console, { info: nowhere, warn: nowhere, error: nowhere });
jest.requireActual('firebase-functions/logger');
Object.assign(console, { info, warn, error });

export {};
