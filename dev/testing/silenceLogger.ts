/**
 * Silences the logs of the service, and collects its errors. Tests of logging spy on the logger. The SDK's logger binds the
 * methods of the console when it is loaded.
 */
import { loggedErrors } from './loggedErrors.ts';

const { info, warn, error } = console;
const ignore = () => undefined;
const collect = (line: string) => {
  const { message } = JSON.parse(line) as { readonly message?: string };
  if (message !== undefined) loggedErrors.push(message);
};
Object.assign(console, { info: ignore, warn: ignore, error: collect });
jest.requireActual('firebase-functions/logger');
Object.assign(console, { info, warn, error });
