/**
 * What is changed in the Firebase CLI, and why: preloaded into its process. Each change is for something that developers
 * do every day.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, watchFile } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './root.ts';

/** The emulator's object for the process of a function. */
interface RuntimeWorker {
  readonly runtime: { readonly process: ChildProcess };
  waitForSocketReady(): Promise<void>;
}

interface FunctionsEmulator {
  handleHttpsTrigger(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

interface Hosting {
  rewrites?: unknown;
}

const require = createRequire(join(ROOT, 'package.json'));
const { RuntimeWorker } = require('firebase-tools/lib/emulator/functionsRuntimeWorker') as {
  RuntimeWorker: { readonly prototype: RuntimeWorker };
};
const { FunctionsEmulator } = require('firebase-tools/lib/emulator/functionsEmulator') as {
  FunctionsEmulator: { readonly prototype: FunctionsEmulator };
};
const superstatic = require('superstatic') as {
  server: (options: { readonly config: Hosting }) => unknown;
};

/* eslint-disable @typescript-eslint/unbound-method -- called on the worker and the emulator below */
const { waitForSocketReady } = RuntimeWorker.prototype;
const { handleHttpsTrigger } = FunctionsEmulator.prototype;
/* eslint-enable @typescript-eslint/unbound-method */

/**
 * If the process of a function ends before it is ready, because the source was saved with an error, the emulator
 * continues to poll it for minutes, and never responds to the call. The response is 500 at once; the output of the
 * process is in the log.
 */
RuntimeWorker.prototype.waitForSocketReady = async function () {
  const ready = new AbortController();
  const ended = once(this.runtime.process, 'close', { signal: ready.signal }).then(([end]) => {
    throw new Error(`its process ended (${String(end)})`);
  });
  await Promise.race([waitForSocketReady.call(this), ended]).finally(() => {
    ready.abort();
  });
};

FunctionsEmulator.prototype.handleHttpsTrigger = async function (request, response) {
  await handleHttpsTrigger.call(this, request, response);
  if (response.headersSent) return;
  response.writeHead(500, { 'Content-Type': 'text/plain' });
  response.end('The function could not be started. Its output is in the log of the emulators.\n');
};

/** Hosting reads the rewrites when it starts. Those of a new endpoint are loaded when firebase.json is saved. */
const { server } = superstatic;
superstatic.server = (options) => {
  const started = server(options);
  const { FIREBASE_JSON: file = '' } = process.env;
  watchFile(file, { interval: 500 }, () => {
    try {
      const { hosting } = JSON.parse(readFileSync(file, 'utf8')) as { readonly hosting: Hosting };
      options.config.rewrites = hosting.rewrites;
      console.log('The rewrites of firebase.json were loaded.');
    } catch (error) {
      console.log(`firebase.json cannot be read: ${String(error)}`);
    }
  });
  return started;
};
