import { once } from 'node:events';

/** A signal that aborts when the process should end: Ctrl-C, `kill`, a closed terminal. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      controller.abort(new Error(`Interrupted by ${signal}.`));
    });
  }
  return controller.signal;
}

/** Resolves once the signal has aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
