/**
 * Lets the Auth emulator compile the schemas of its API on first use. The Firebase CLI compiles all of them when it starts,
 * which takes three quarters of that time: it does not set this option of exegesis (exegesis-js/exegesis#497). Node's
 * `--import` loads this module before the CLI.
 */
import { createRequire } from 'node:module';

type Middleware = (api: object, options: object) => unknown;

const requireFromCli = createRequire(import.meta.resolve('firebase-tools'));
const exegesisExpress = requireFromCli('exegesis-express') as { middleware: Middleware };
const { middleware } = exegesisExpress;
exegesisExpress.middleware = (api, options) =>
  middleware(api, { ...options, lazyCompileValidationSchemas: true });
