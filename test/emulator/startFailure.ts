/**
 * Preloaded into the Firebase CLI's process. If the process of a function ends before it is ready, the Functions
 * emulator continues to poll it, logs the failure much later, and never responds to the call. This patch responds with
 * 500 at once, with the output of the process.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './root.ts';
import { START_FAILURE_HEADER } from './startFailureHeader.ts';

/** The emulator's object for the process of a function. */
interface RuntimeWorker {
  readonly runtime: { readonly process: ChildProcess };
  /** Subscribes to the output of the process until it is ready. */
  onLogs(listener: (log: { readonly level: string; readonly text: string }) => void): void;
  waitForSocketReady(): Promise<void>;
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

/** The call that waits for the process. */
const calls = new AsyncLocalStorage<{ failure?: string }>();

const original = {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called on the worker below
  waitForSocketReady: RuntimeWorker.prototype.waitForSocketReady,
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called on the emulator below
  handleHttpsTrigger: FunctionsEmulator.prototype.handleHttpsTrigger,
};

RuntimeWorker.prototype.waitForSocketReady = async function () {
  const ready = new AbortController();
  try {
    await Promise.race([original.waitForSocketReady.call(this), endOf(this, ready.signal)]);
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
  await calls.run(call, () => original.handleHttpsTrigger.call(this, request, response));
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
