/**
 * Silences the logs of the service; tests of logging spy on the logger. The SDK's logger binds the console's methods when
 * it is loaded.
 */
const { info, warn, error } = console;
const nowhere = () => undefined;
Object.assign(console, { info: nowhere, warn: nowhere, error: nowhere });
jest.requireActual('firebase-functions/logger');
Object.assign(console, { info, warn, error });

const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (data: string | Uint8Array, ...rest: unknown[]) =>
  String(data).startsWith('{"severity":') ||
  (write as (...all: unknown[]) => boolean)(data, ...rest);

export {};
