/**
 * What is changed in the Firebase CLI, and why: preloaded into its process. Each prevents a failure that a user of the
 * local stack would see.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { START_FAILURE_HEADER } from './emulators.ts';
import { ROOT } from './root.ts';

/** The emulator's object for the process of a function. */
interface RuntimeWorker {
  readonly runtime: { readonly process: ChildProcess };
  /** Subscribes to the output of the process until it is ready. */
  onLogs(listener: (log: { readonly level: string; readonly text: string }) => void): void;
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
 * For a path with a malformed percent-escape, the Hosting and Functions emulators respond with 500, in plain text or as
 * an HTML page with a stack trace, and do not call the function. An escaped slash instead, which both pass on, is invalid
 * in every path and id, so that the function rejects the request with its own error.
 */
subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  const [path = '', ...query] = (request.url ?? '/').split('?');
  request.url = [decodable(path), ...query].join('?');
});

function decodable(path: string): string {
  return isDecodable(path)
    ? path
    : path.replace(/(?:%[\da-f]{2})+|%/gi, (escapes) => (isDecodable(escapes) ? escapes : '%2F'));
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

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

/** The call that waits for a process, and why it cannot start. */
const calls = new AsyncLocalStorage<{ failure?: string }>();

/**
 * If the process of a function ends before it is ready, the emulator continues to poll it, logs the failure much later,
 * and never responds to the call. The response is 500 at once, with the output of the process.
 */
RuntimeWorker.prototype.waitForSocketReady = async function () {
  const ready = new AbortController();
  try {
    await Promise.race([waitForSocketReady.call(this), endOf(this, ready.signal)]);
  } catch (error) {
    const call = calls.getStore();
    if (call !== undefined) call.failure = error instanceof Error ? error.message : String(error);
    throw error;
  } finally {
    ready.abort();
  }
};

FunctionsEmulator.prototype.handleHttpsTrigger = async function (request, response) {
  const call: { failure?: string } = {};
  await calls.run(call, () => handleHttpsTrigger.call(this, request, response));
  if (call.failure === undefined || response.headersSent) return;
  response.writeHead(500, { 'Content-Type': 'text/plain', [START_FAILURE_HEADER]: 'true' });
  response.end(`The function could not be started: ${call.failure}\n`);
};

/** Resolves when the process is ready; rejects with its output if it ends before that. */
async function endOf(worker: RuntimeWorker, ready: AbortSignal): Promise<void> {
  const said: string[] = [];
  worker.onLogs(({ level, text }) => {
    if (level !== 'DEBUG' && text !== '') said.push(text);
  });
  try {
    const [code, signal] = (await once(worker.runtime.process, 'close', { signal: ready })) as [
      number | null,
      string | null,
    ];
    throw new Error([`its process ended (${code ?? signal}).`, ...said].join('\n'));
  } catch (error) {
    if (!ready.aborted) throw error;
  }
}
