import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './root.ts';
import type { Stack } from './stack.ts';

/** The parts of firebase.json that name the functions. */
interface Rewrites {
  readonly hosting: { readonly rewrites: readonly { readonly function: { functionId: string } }[] };
}

/**
 * Calls each function once to start its process. One after the other, because the machine may have few cores and is in
 * use.
 */
export async function warmUp({ functionsAddress }: Stack, signal: AbortSignal): Promise<void> {
  const config = JSON.parse(await readFile(join(ROOT, 'firebase.json'), 'utf8')) as Rewrites;
  const ids = new Set(config.hosting.rewrites.map((rewrite) => rewrite.function.functionId));
  for (const id of ids) {
    try {
      // A preflight, which is not logged.
      await fetch(`${functionsAddress}/${id}`, { method: 'OPTIONS', signal });
    } catch {
      // The stack is stopping, or the function is broken: the next call will show the error.
    }
  }
}
