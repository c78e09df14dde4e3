/**
 * Silences the logs of functions in this process, and collects their errors. Tests of logging spy on the logger. The SDK's
 * logger binds the methods of the console when it is loaded.
 */
import { collectLoggedError } from './loggedErrors.ts';

const { info, warn, error } = console;
const ignore = () => undefined;
Object.assign(console, { info: ignore, warn: ignore, error: collectLoggedError });
jest.requireActual('firebase-functions/logger');
Object.assign(console, { info, warn, error });
