/**
 * What is changed in the Firebase CLI, and why: preloaded into its process. Each prevents a failure that a user of the
 * local stack would see.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { START_FAILURE_HEADER } from './emulators.ts';
import { ROOT } from './root.ts';

/** The emulator's object for the process of a function. */
interface RuntimeWorker {
  readonly runtime: { readonly process: ChildProcess };
  waitForSocketReady(): Promise<void>;
  request(request: unknown, response: ServerResponse, ...rest: unknown[]): Promise<void>;
}

interface FunctionsEmulator {
  handleHttpsTrigger(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

const require = createRequire(join(ROOT, 'package.json'));
const { RuntimeWorker } = require('firebase-tools/lib/emulator/functionsRuntimeWorker') as {
  RuntimeWorker: { readonly prototype: RuntimeWorker };
};
const { FunctionsEmulator } = require('firebase-tools/lib/emulator/functionsEmulator') as {
  FunctionsEmulator: { readonly prototype: FunctionsEmulator };
};

/* eslint-disable @typescript-eslint/unbound-method -- called on the worker and the emulator below */
const { request: sendRequest, waitForSocketReady } = RuntimeWorker.prototype;
const { handleHttpsTrigger } = FunctionsEmulator.prototype;
/* eslint-enable @typescript-eslint/unbound-method */

/**
 * If a function responds before it has read the whole body, the emulator fails to send the rest, kills the function's
 * process, which may serve another call by then, tries to send a second response with 500, and crashes. The failure is
 * ignored, because the call is complete.
 */
RuntimeWorker.prototype.request = function (request, response, ...rest) {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  const { process } = this.runtime;
  response.writeHead = (...args: unknown[]) => {
    if (!response.headersSent) return writeHead(...args);
    if (!response.writableEnded) response.destroy();
    response.write = () => false;
    response.end = () => response;
    // The emulator calls this next, once.
    process.kill = () => {
      Reflect.deleteProperty(process, 'kill');
      return true;
    };
    return response;
  };
  return sendRequest.call(this, request, response, ...rest);
};

/**
 * If the process of a function ends before it is ready, the emulator continues to poll it for minutes, and never responds
 * to the call. The response is 500 at once; the output of the process is in the log.
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
  response.writeHead(500, { 'Content-Type': 'text/plain', [START_FAILURE_HEADER]: 'true' });
  response.end('The function could not be started. Its output is in the log of the emulators.\n');
};
