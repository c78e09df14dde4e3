import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { replaceFile } from './replaceFile.ts';

/**
 * Puts into `public` what Hosting serves and git does not have: the packages that the pages use, so that they ask no
 * other host, and the client as a package to install.
 */
export async function completeHosting(root: string): Promise<void> {
  const vendor = join(root, 'public/vendor');
  await mkdir(vendor, { recursive: true });
  await Promise.all([
    copyReference(root, vendor),
    bundleFirebaseAuth(root, vendor),
    packClient(join(root, 'public')),
  ]);
}

/** Scalar's API reference, in one file that needs no other. */
async function copyReference(root: string, vendor: string): Promise<void> {
  const { resolve } = createRequire(join(root, 'package.json'));
  const main = dirname(resolve('@scalar/api-reference'));
  const code = await readFile(join(main, 'browser/standalone.js'));
  await replaceFile(join(vendor, 'api-reference.js'), code);
}

/** What the pages take of Firebase's SDK. */
const FIREBASE_AUTH = `
  export { initializeApp } from 'firebase/app';
  export {
    browserLocalPersistence, connectAuthEmulator, initializeAuth, onAuthStateChanged, signInWithEmailAndPassword, signOut,
  } from 'firebase/auth';
`;

async function bundleFirebaseAuth(root: string, vendor: string): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents: FIREBASE_AUTH, resolveDir: root },
    write: false,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  const [bundle] = outputFiles;
  if (bundle === undefined) throw new Error('esbuild has made no bundle of firebase/auth.');
  await replaceFile(join(vendor, 'firebase-auth.js'), bundle.contents);
}

/** `public/client.tgz`, as `npm pack` makes it. */
async function packClient(folder: string): Promise<void> {
  const { npm_execpath: npm } = process.env;
  const [command, args] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  // Beside where it goes, so that it gets there in one step: two stacks may start at once.
  const destination = await mkdtemp(join(folder, '.client-'));
  try {
    const { stdout } = await promisify(execFile)(
      command,
      [...args, 'pack', './client', '--json', '--silent', '--pack-destination', destination],
      { cwd: folder, shell: npm === undefined && process.platform === 'win32' },
    );
    const [packed] = packedPackages(JSON.parse(stdout));
    if (packed === undefined) throw new Error('npm pack has packed nothing.');
    await rename(join(destination, packed.filename), join(folder, 'client.tgz'));
  } finally {
    await rm(destination, { recursive: true });
  }
}

/** What `npm pack --json` prints: a list, since npm 12 an object by name. */
function packedPackages(printed: unknown): { filename: string }[] {
  return Object.values(printed as Record<string, { filename: string }>);
}
