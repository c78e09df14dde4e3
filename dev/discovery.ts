import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './root.ts';

/**
 * The manifest of the functions of a built package. Found like the CLI does: the SDK loads the functions. If they cannot
 * be loaded, the error has their stack, with places in the source.
 */
export async function discover(functionsFolder: string): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'manifest-'));
  const file = join(folder, 'functions.yaml');
  try {
    await promisify(execFile)(
      process.execPath,
      [join(ROOT, 'node_modules/firebase-functions/lib/bin/firebase-functions.js')],
      {
        cwd: functionsFolder,
        env: {
          ...process.env,
          GCLOUD_PROJECT: 'demo-discovery',
          FUNCTIONS_CONTROL_API: 'true',
          FUNCTIONS_MANIFEST_OUTPUT_PATH: file,
        },
      },
    );
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const { stderr } = error as { readonly stderr?: string };
    throw new Error(`The functions cannot be loaded:\n${stderr ?? String(error)}`, {
      cause: error,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
