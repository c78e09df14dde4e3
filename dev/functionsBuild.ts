import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './root.ts';

/** The package of the functions. The Firebase CLI deploys it, and `npm start` serves it. */
export const FUNCTIONS = join(ROOT, 'functions');

/** The folder of temporary builds. It is below node_modules: packages can be resolved, and no tool formats, lints or uploads it. */
const CACHE = join(ROOT, 'node_modules/.cache');

/** A built copy of the functions' package, without its source. */
interface FunctionsBuild {
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/** Builds the bundle into a folder. If the build fails, the error contains the compiler's output. */
export async function buildFunctions(outdir = join(FUNCTIONS, 'lib')): Promise<void> {
  const args = [join(FUNCTIONS, 'build.js'), '--outdir', outdir];
  await promisify(execFile)(process.execPath, args);
}

/** Builds the functions into a temporary folder, so that other builds do not change the files in use. */
export async function buildFunctionsToTempFolder(): Promise<FunctionsBuild> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'functions-'));
  await buildFunctions(join(folder, 'lib'));
  // The CLI reads the parameters for the emulators from the folder of the package.
  for (const name of ['package.json', '.env.local']) {
    await copyFile(join(FUNCTIONS, name), join(folder, name));
  }
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

/**
 * Loads the functions manifest of a built package the way the Firebase CLI does. If the functions fail to load, the error
 * contains their stack trace with source positions.
 */
export async function loadFunctionsManifest(functionsFolder: string): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'manifest-'));
  const path = join(folder, 'functions.yaml');
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
          FUNCTIONS_MANIFEST_OUTPUT_PATH: path,
        },
      },
    );
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const { stderr } = error as { readonly stderr?: string };
    throw new Error(`The functions cannot be loaded:\n${stderr ?? String(error)}`, {
      cause: error,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
