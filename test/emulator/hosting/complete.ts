import scalar from '@scalar/fastify-api-reference';
import { build } from 'esbuild';
import { fastify } from 'fastify';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
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
    copyReference(vendor),
    bundleFirebaseAuth(root, vendor),
    packClient(join(root, 'public')),
  ]);
}

/**
 * Scalar's API reference, in one file that needs no other. Scalar's plugin for Fastify serves that file and depends on little
 * else; the package of the reference itself would bring all that the file was built from, 200 MB.
 */
async function copyReference(vendor: string): Promise<void> {
  const server = fastify();
  await server.register(scalar, {
    routePrefix: '/reference',
    configuration: { url: '/openapi.json' },
  });
  const { statusCode, rawPayload } = await server.inject('/reference/js/scalar.js');
  if (statusCode !== 200) throw new Error('@scalar/fastify-api-reference serves no reference.');
  await replaceFile(join(vendor, 'api-reference.js'), rawPayload);
  await server.close();
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
