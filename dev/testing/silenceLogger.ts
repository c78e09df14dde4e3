/**
 * Silences the logs of the service; tests of logging spy on the logger. The SDK's logger binds the console's methods when
 * it is loaded.
 */
const { info, warn, error } = console;
const nowhere = () => undefined;
Object.assign(console, { info: nowhere, warn: nowhere, error: nowhere });
jest.requireActual('firebase-functions/logger');
Object.assign(console, { info, warn, error });

export {};
