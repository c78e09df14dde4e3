import scalar from '@scalar/fastify-api-reference';
import { build } from 'esbuild';
import { fastify } from 'fastify';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageOf, publishedVersions } from './clientPackages.ts';
import { replaceFile } from './replaceFile.ts';

/**
 * Adds the generated files of Hosting to `public`: the packages that the pages use, so that they load nothing from
 * other hosts, and the newest client.
 */
export async function completeHosting(root: string): Promise<void> {
  const vendor = join(root, 'public/vendor');
  await mkdir(vendor, { recursive: true });
  await Promise.all([
    copyReference(vendor),
    bundleFirebaseAuth(root, vendor),
    copyNewestClient(join(root, 'public')),
  ]);
}

/**
 * Scalar's API reference as a single file. It comes from Scalar's Fastify plugin, which has few dependencies; the
 * reference's own package would install 200 MB.
 */
async function copyReference(vendor: string): Promise<void> {
  const server = fastify();
  await server.register(scalar, {
    routePrefix: '/reference',
    configuration: { url: '/openapi.json' },
  });
  const { statusCode, rawPayload } = await server.inject('/reference/js/scalar.js');
  if (statusCode !== 200)
    throw new Error('@scalar/fastify-api-reference does not serve the reference.');
  await replaceFile(join(vendor, 'api-reference.js'), rawPayload);
  await server.close();
}

/** The parts of Firebase's SDK that the pages use. */
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
  if (bundle === undefined) throw new Error('esbuild did not produce a bundle of firebase/auth.');
  await replaceFile(join(vendor, 'firebase-auth.js'), bundle.contents);
}

/** `public/client.tgz` is the newest version of the client. */
async function copyNewestClient(folder: string): Promise<void> {
  const newest = publishedVersions().at(-1);
  if (newest === undefined) throw new Error('No client is published: run npm run client:pack.');
  await replaceFile(join(folder, 'client.tgz'), await readFile(packageOf(newest)));
}
