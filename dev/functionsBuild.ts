import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './root.ts';

/** The functions' package, which the Firebase CLI deploys and `npm start` serves. */
export const FUNCTIONS = join(ROOT, 'functions');

/** Below node_modules, where packages can be resolved, and nothing formats, lints or uploads the files. */
const CACHE = join(ROOT, 'node_modules/.cache');

/** A built copy of the functions' package, without its source. */
export interface FunctionsBuild {
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/** Builds the bundle into a folder; on failure the error has the compiler's output. */
export async function buildFunctions(outdir = join(FUNCTIONS, 'lib')): Promise<void> {
  const args = [join(FUNCTIONS, 'build.js'), '--outdir', outdir];
  await promisify(execFile)(process.execPath, args);
}

/** Builds the functions outside `functions/lib`, so that other builds do not change the files in use. */
export async function buildFunctionsToTempFolder(): Promise<FunctionsBuild> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'functions-'));
  await buildFunctions(join(folder, 'lib'));
  // The CLI reads the emulators' parameters from the folder of the package.
  for (const file of ['package.json', '.env.local']) {
    await copyFile(join(FUNCTIONS, file), join(folder, file));
  }
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

/**
 * The manifest of the functions of a built package. Found like the CLI does: the SDK loads the functions. If they cannot
 * be loaded, the error has their stack, with places in the source.
 */
export async function loadFunctionsManifest(functionsFolder: string): Promise<unknown> {
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
