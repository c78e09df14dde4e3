import { build } from 'esbuild';
import { copyFile, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../root.ts';
import { packageOf, publishedClients } from './clientPackages.ts';

/**
 * Puts together in `.hosting` what Hosting serves, and returns the folder: `public`, the newest client, and the packages
 * that the pages use, so that they load nothing from other hosts.
 */
export async function assembleHosting(name: string): Promise<string> {
  const folder = join(ROOT, '.hosting', name);
  await rm(folder, { recursive: true, force: true });
  await cp(join(ROOT, 'public'), folder, { recursive: true });
  const vendor = join(folder, 'vendor');
  await mkdir(vendor);
  await Promise.all([copyReference(vendor), bundleFirebaseAuth(vendor), copyNewestClient(folder)]);
  return folder;
}

/** The same with the demo app and the client that it imports. Their changes are served at once. */
export async function assembleLocalHosting(name: string): Promise<string> {
  const folder = await assembleHosting(name);
  // Junctions, because links on Windows need the rights of an administrator.
  await symlink(join(ROOT, 'demo/app'), join(folder, 'demo'), 'junction');
  await symlink(join(ROOT, 'packages/client'), join(folder, 'client'), 'junction');
  return folder;
}

/** The licence of a package whose code does not quote it, as a comment. */
async function licenceOf(name: string): Promise<string> {
  return `/*!\n${name}\n\n${await readFile(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8')}*/\n`;
}

/** Scalar's API reference as a single file. */
async function copyReference(vendor: string): Promise<void> {
  const name = '@scalar/api-reference';
  const script = await readFile(
    join(ROOT, 'node_modules', name, 'dist/browser/standalone.js'),
    'utf8',
  );
  // The package has no file with its licence, but its parts do.
  const licence = await licenceOf('@scalar/api-client');
  await writeFile(join(vendor, 'api-reference.js'), licence + script);
}

/** The parts of Firebase's SDK that the pages use. */
const FIREBASE_AUTH = `
  export { initializeApp } from 'firebase/app';
  export {
    browserLocalPersistence, connectAuthEmulator, initializeAuth, onAuthStateChanged, signInWithEmailAndPassword, signOut,
  } from 'firebase/auth';
`;

async function bundleFirebaseAuth(vendor: string): Promise<void> {
  await build({
    stdin: { contents: FIREBASE_AUTH, resolveDir: ROOT },
    outfile: join(vendor, 'firebase-auth.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    // After those of Firebase, which esbuild collects there.
    footer: { js: await licenceOf('idb') },
    logLevel: 'warning',
  });
}

/** `client.tgz` is the newest version of the client. */
async function copyNewestClient(folder: string): Promise<void> {
  const newest = Object.keys(publishedClients()).at(-1);
  if (newest === undefined) throw new Error('No client is published: run npm run client:publish.');
  await copyFile(packageOf(newest), join(folder, 'client.tgz'));
}
