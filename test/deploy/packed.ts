import { copyFile, cp, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { buildFunctions, FUNCTIONS } from '../emulator/functionsBuild.ts';
import { ROOT } from '../emulator/root.ts';

const require = createRequire(join(ROOT, 'package.json'));

/** A folder with the files of `functions/` that the firebase CLI would upload. */
export interface Packed {
  readonly folder: string;
  /** The files by path within the folder. */
  readonly files: readonly string[];
  /** The size of all files, in bytes. */
  readonly bytes: number;
  remove(): Promise<void>;
}

/** The module of the CLI that lists the files to upload. */
interface FsAsync {
  readonly readdirRecursive: (options: {
    path: string;
    ignoreStrings: readonly string[];
  }) => Promise<readonly { readonly name: string }[]>;
}

interface FirebaseConfig {
  readonly functions: readonly [{ readonly ignore: readonly string[] }];
}

/**
 * Builds a separate copy of the functions, not the one that a running service serves, and packs it into an empty
 * folder: exactly the files that the firebase CLI uploads.
 */
export async function packFunctions(): Promise<Packed> {
  const copy = await mkdtemp(join(tmpdir(), 'functions-'));
  try {
    await cp(FUNCTIONS, copy, {
      recursive: true,
      filter: (file) => !['node_modules', 'lib'].includes(basename(file)),
    });
    await buildFunctions(join(copy, 'lib'));
    return await pack(copy);
  } finally {
    await rm(copy, { recursive: true });
  }
}

async function pack(source: string): Promise<Packed> {
  const config = JSON.parse(await readFile(join(ROOT, 'firebase.json'), 'utf8')) as FirebaseConfig;
  const { readdirRecursive } = require('firebase-tools/lib/fsAsync') as FsAsync;
  const found = await readdirRecursive({
    path: source,
    ignoreStrings: config.functions[0].ignore,
  });
  const folder = await mkdtemp(join(tmpdir(), 'packed-'));
  const files = found.map(({ name }) => relative(source, name));
  let bytes = 0;
  for (const file of files) {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    await copyFile(join(source, file), join(folder, file));
    bytes += (await stat(join(folder, file))).size;
  }
  return { folder, files, bytes, remove: () => rm(folder, { recursive: true }) };
}
