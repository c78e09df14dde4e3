import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, type Stack } from './stack.ts';

/** The parts of firebase.json that name the functions. */
interface Rewrites {
  readonly hosting: { readonly rewrites: readonly { readonly function: { functionId: string } }[] };
}

/**
 * Calls each function once, so that nobody waits for its process to start. One after the other: a machine may have two
 * cores, and somebody is using it.
 */
export async function warmUp({ functionsAddress }: Stack, signal: AbortSignal): Promise<void> {
  const config = JSON.parse(await readFile(join(ROOT, 'firebase.json'), 'utf8')) as Rewrites;
  const ids = new Set(config.hosting.rewrites.map((rewrite) => rewrite.function.functionId));
  for (const id of ids) {
    try {
      // A preflight, which is not logged.
      await fetch(`${functionsAddress}/${id}`, { method: 'OPTIONS', signal });
    } catch {
      // The stack stops, or the function is broken: whoever calls it next will see why.
    }
  }
}
