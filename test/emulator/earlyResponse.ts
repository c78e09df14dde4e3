/**
 * Loaded into the firebase CLI's own process, before it. When a function answers before the whole body has arrived, the
 * CLI's Functions emulator fails to send the rest, ends the process of the function, which another call may use by then,
 * wants to answer 500 to a call that has been answered already, and ends itself with an error. Here nothing of that is
 * done: the call is over.
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
