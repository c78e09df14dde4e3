/**
 * Preloaded into the Firebase CLI's process. If a function responds before it has read the whole body, the Functions
 * emulator fails to send the rest, kills the function's process, which may serve another call by then, tries to send a
 * second response with 500, and crashes. This patch ignores the failure, because the call is complete.
 */
import type { ChildProcess } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './root.ts';

interface RuntimeWorker {
  readonly runtime: { readonly process: ChildProcess };
  request(request: unknown, response: ServerResponse, ...rest: unknown[]): Promise<void>;
}

const require = createRequire(join(ROOT, 'package.json'));
const { RuntimeWorker } = require('firebase-tools/lib/emulator/functionsRuntimeWorker') as {
  RuntimeWorker: { readonly prototype: RuntimeWorker };
};

// eslint-disable-next-line @typescript-eslint/unbound-method -- called on the worker below
const original = RuntimeWorker.prototype.request;

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
  return original.call(this, request, response, ...rest);
};
