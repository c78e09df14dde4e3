import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './root.ts';

/** The functions' package: what the firebase CLI deploys, and what `npm start` serves. */
export const FUNCTIONS = join(ROOT, 'functions');

/** Packages and the CLI's ignored folders: nothing formats, lints or uploads what is here, and packages are found. */
const CACHE = join(ROOT, 'node_modules/.cache');

/** A built copy of the functions' package, without its source. */
export interface FunctionsBuild {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Builds `index.cjs` into a folder; throws with what the compiler says. */
export async function buildFunctions(outdir = join(FUNCTIONS, 'lib')): Promise<void> {
  const args = [join(FUNCTIONS, 'build.js'), '--outdir', outdir];
  await promisify(execFile)(process.execPath, args);
}

/** Builds the functions apart from `functions/lib`, so that no other build changes what is being served or tested. */
export async function buildFunctionsApart(): Promise<FunctionsBuild> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'functions-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await buildFunctions(join(folder, 'lib'));
    // The emulators' parameters go along: the CLI looks for them beside the package.
    for (const file of ['package.json', '.env.local']) {
      await copyFile(join(FUNCTIONS, file), join(folder, file));
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder, remove };
}
