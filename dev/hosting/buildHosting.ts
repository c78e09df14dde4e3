import { build, context } from 'esbuild';
import { exec } from 'node:child_process';
import { createHash } from 'node:crypto';
import { watch } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../root.ts';
import type { OnStop, StackOptions } from '../stackOptions.ts';

const CLIENT = join(ROOT, 'packages/client');

/** The client's file name in the description of the API, where its hash is not known. */
const CLIENT_PLACEHOLDER = 'client-HASH.tgz';

/**
 * Puts together in `.hosting` what Hosting serves, and returns the folder: `public`, the packed client, and the package
 * that the reference uses, so that it loads nothing from other hosts.
 */
export async function buildHosting(name: string): Promise<string> {
  const folder = join(ROOT, '.hosting', name);
  await rm(folder, { recursive: true, force: true });
  await cp(join(ROOT, 'public'), folder, { recursive: true });
  const vendor = join(folder, 'vendor');
  await mkdir(vendor);
  await Promise.all([copyReference(vendor), addClientPackage(folder)]);
  return folder;
}

/** A command writes several files. */
const DEBOUNCE_MS = 100;

/** The same with the demo app and Firebase's SDK, until the stack stops. With `watch` it is assembled anew after each change. */
export async function buildLocalHosting(
  name: string,
  { watch: isWatched, onLog }: StackOptions,
  onStop: OnStop,
): Promise<string> {
  const folder = await buildHosting(name);
  onStop(() => rm(folder, { recursive: true, force: true }));
  const app = join(ROOT, 'demo/app');
  const demo = await context({
    ...BUNDLE_OPTIONS,
    logLevel: 'silent',
    entryPoints: ['app.ts', 'demo.css', 'index.html'].map((file) => join(app, file)),
    loader: { '.html': 'copy' },
    alias: { '@tattoo-marketplace/client': join(CLIENT, 'src/index.ts') },
    outdir: join(folder, 'demo'),
  });
  onStop(() => demo.dispose());
  await Promise.all([demo.rebuild(), bundleFirebaseAuth(join(folder, 'vendor'))]);
  // A junction, because other links need the rights of an administrator on Windows.
  await symlink(join(app, 'pictures'), join(folder, 'demo/pictures'), 'junction');

  if (!isWatched) return folder;
  async function assembleAgain(): Promise<void> {
    try {
      await demo.rebuild();
      await cp(join(ROOT, 'public'), folder, { recursive: true });
      await addClientPackage(folder);
    } catch (error) {
      onLog(`Hosting serves what it did before: ${(error as Error).message}`);
    }
  }
  let assembling = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  // Not esbuild's own watch mode: its process would go on if this one is killed.
  const watchers = [join(ROOT, 'public'), app, CLIENT].map((source) =>
    watch(source, { recursive: true, persistent: false }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        assembling = assembling.then(assembleAgain);
      }, DEBOUNCE_MS);
    }),
  );
  onStop(() => {
    for (const watcher of watchers) watcher.close();
    clearTimeout(timer);
    return assembling;
  });
  return folder;
}

/** How the code of pages is bundled. */
const BUNDLE_OPTIONS = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  logLevel: 'warning',
} as const;

/**
 * Packs the client of this commit, and writes its address into the description of the API. The name has a hash of the
 * file: the lock files of apps have its integrity, so that other bytes at the same address would fail their `npm ci`.
 */
async function addClientPackage(folder: string): Promise<void> {
  const packed = await packClient();
  const { version } = JSON.parse(await readFile(join(CLIENT, 'package.json'), 'utf8')) as {
    version: string;
  };
  const hash = createHash('sha256').update(packed).digest('hex').slice(0, 12);
  const name = `client-${version}-${hash}.tgz`;
  await writeFile(join(folder, name), packed);

  const path = join(folder, 'openapi.json');
  const document = await readFile(path, 'utf8');
  if (!document.includes(CLIENT_PLACEHOLDER))
    throw new Error(`${path} does not name ${CLIENT_PLACEHOLDER}.`);
  await writeFile(path, document.replaceAll(CLIENT_PLACEHOLDER, name));
}

async function packClient(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  try {
    const pack = `npm pack --silent --ignore-scripts --pack-destination ${folder}`;
    const { stdout } = await promisify(exec)(pack, { cwd: CLIENT });
    return await readFile(join(folder, stdout.trim()));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The licence of a package whose code does not quote it, as a comment. */
async function readLicense(name: string): Promise<string> {
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
  const licence = await readLicense('@scalar/api-client');
  await writeFile(join(vendor, 'api-reference.js'), licence + script);
}

/** The parts of Firebase's SDK that the reference uses. */
const FIREBASE_AUTH = `
  export { initializeApp } from 'firebase/app';
  export {
    browserLocalPersistence, connectAuthEmulator, initializeAuth, signInWithEmailAndPassword, signOut,
  } from 'firebase/auth';
`;

async function bundleFirebaseAuth(vendor: string): Promise<void> {
  await build({
    ...BUNDLE_OPTIONS,
    stdin: { contents: FIREBASE_AUTH, resolveDir: ROOT },
    outfile: join(vendor, 'firebase-auth.js'),
    minify: true,
    // After those of Firebase, which esbuild collects at the end of the file.
    footer: { js: await readLicense('idb') },
  });
}
