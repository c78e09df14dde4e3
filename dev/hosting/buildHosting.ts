import { createHash } from 'node:crypto';
import { watch } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, context } from 'esbuild';
import { formatError } from '../formatError.ts';
import { ROOT } from '../root.ts';
import type { OnStop, StackOptions } from '../stackOptions.ts';
import { CLIENT_FOLDER, packClient } from './packClient.ts';

/** The client's file name in public/openapi.json, which is generated before the hash is known. */
const CLIENT_PLACEHOLDER = 'client-HASH.tgz';

/**
 * Builds the folder that Hosting serves, below `.hosting`, and returns its path. It contains `public`, the packed client,
 * and the package of the API reference, so that the page loads nothing from other hosts.
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

/** The wait after a change before a rebuild, in ms: commands write several files in a short time. */
const DEBOUNCE_MS = 100;

/**
 * Builds the folder that the local stack serves: it also contains the demo app and Firebase's SDK. It is removed when the
 * stack stops. With `watch` it is rebuilt after each change.
 */
export async function buildLocalHosting(
  name: string,
  { watch: watchesChanges, onLog }: StackOptions,
  onStop: OnStop,
): Promise<string> {
  const folder = await buildHosting(name);
  onStop(() => rm(folder, { recursive: true, force: true }));
  const app = join(ROOT, 'demo/app');
  const demo = await context({
    ...BUNDLE_OPTIONS,
    logLevel: 'silent',
    entryPoints: ['main.tsx', 'demo.css', 'index.html'].map((name) => join(app, name)),
    loader: { '.html': 'copy' },
    define: { 'process.env.NODE_ENV': '"production"' },
    minify: true,
    alias: {
      '@tattoo-marketplace/client/react-query': join(CLIENT_FOLDER, 'src/react-query.ts'),
      '@tattoo-marketplace/client': join(CLIENT_FOLDER, 'src/index.ts'),
    },
    outdir: join(folder, 'demo'),
    // esbuild would delete the files of the last build when a build fails.
    write: false,
  });
  onStop(() => demo.dispose());
  await mkdir(join(folder, 'demo'));
  const buildDemo = async () => {
    const { outputFiles } = await demo.rebuild();
    await Promise.all(outputFiles.map(({ path, contents }) => writeFile(path, contents)));
  };
  await Promise.all([buildDemo(), bundleFirebaseAuth(join(folder, 'vendor'))]);
  // A junction: on Windows, other links require administrator rights.
  await symlink(join(app, 'pictures'), join(folder, 'demo/pictures'), 'junction');

  if (!watchesChanges) return folder;
  async function rebuild(): Promise<void> {
    try {
      await buildDemo();
      await cp(join(ROOT, 'public'), folder, { recursive: true });
      await addClientPackage(folder);
    } catch (error) {
      onLog(`Still serving the previous version: ${formatError(error)}`);
    }
  }
  let rebuilding = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  // esbuild's own watch mode is not used: its process would survive if this process is killed.
  const watchers = [join(ROOT, 'public'), app, CLIENT_FOLDER].map((source) =>
    watch(source, { recursive: true, persistent: false }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        rebuilding = rebuilding.then(rebuild);
      }, DEBOUNCE_MS);
    }),
  );
  onStop(() => {
    for (const watcher of watchers) watcher.close();
    clearTimeout(timer);
    return rebuilding;
  });
  return folder;
}

/** esbuild options for the code of pages. */
const BUNDLE_OPTIONS = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  logLevel: 'warning',
} as const;

/**
 * Packs the client, and writes its address into the OpenAPI document. The file name contains a hash of the file: lock
 * files of apps store the integrity of the client, and other bytes at the same address would fail their `npm ci`.
 */
async function addClientPackage(folder: string): Promise<void> {
  const packed = await packClient();
  const { version } = JSON.parse(await readFile(join(CLIENT_FOLDER, 'package.json'), 'utf8')) as {
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

/** Reads the license of a package as a comment, for code that does not contain it. */
async function readLicense(name: string): Promise<string> {
  return `/*!\n${name}\n\n${await readFile(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8')}*/\n`;
}

/** Copies Scalar's API reference, a single file. */
async function copyReference(vendor: string): Promise<void> {
  const name = '@scalar/api-reference';
  const script = await readFile(
    join(ROOT, 'node_modules', name, 'dist/browser/standalone.js'),
    'utf8',
  );
  // The package itself has no license file; the packages that it consists of do.
  const license = await readLicense('@scalar/api-client');
  await writeFile(join(vendor, 'api-reference.js'), license + script);
}

/** The functions of Firebase's SDK that the API reference uses. */
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
    // The end of the file is where esbuild collects the licenses of Firebase's packages.
    footer: { js: await readLicense('idb') },
  });
}
