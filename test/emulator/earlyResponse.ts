/**
 * Loaded into the firebase CLI's own process, before it. When a function answers before the whole body has arrived, the
 * CLI's Functions emulator fails to send the rest, wants to answer 500 to a call that has been answered already, and
 * ends itself with an error. Here that second answer goes nowhere.
 */
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './root.ts';

interface RuntimeWorker {
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
  response.writeHead = (...args: unknown[]) => {
    if (!response.headersSent) return writeHead(...args);
    if (!response.writableEnded) response.destroy();
    response.write = () => false;
    response.end = () => response;
    return response;
  };
  return original.call(this, request, response, ...rest);
};
