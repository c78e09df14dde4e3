import scalar from '@scalar/fastify-api-reference';
import { build } from 'esbuild';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../root.ts';
import { packageOf, publishedClients } from './clientPackages.ts';

const VENDOR = join(ROOT, 'public/vendor');

/**
 * Adds the generated files of Hosting to `public`: the packages that the pages use, so that they load nothing from
 * other hosts, and the newest client.
 */
export async function completeHosting(): Promise<void> {
  await mkdir(VENDOR, { recursive: true });
  await Promise.all([copyReference(), bundleFirebaseAuth(), copyNewestClient()]);
}

/** The licence of a package whose code does not quote it, as a comment. */
async function licenceOf(name: string): Promise<string> {
  return `/*!\n${name}\n\n${await readFile(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8')}*/\n`;
}

/** A route of Scalar's plugin. */
interface Route {
  readonly url: string;
  readonly handler: (request: undefined, reply: object) => void;
}

/**
 * Scalar's API reference as a single file. It comes from the plugin for Fastify, because the reference's own package
 * would install 200 MB. The plugin needs no Fastify to hand out its file.
 */
async function copyReference(): Promise<void> {
  const addRoutes = scalar as unknown as (app: object, options: object, done: () => void) => void;
  const script = await new Promise<string>((resolve, reject) => {
    const reply = { header: () => reply, send: resolve };
    const route = ({ url, handler }: Route) => {
      if (url.endsWith('/js/scalar.js')) handler(undefined, reply);
    };
    addRoutes({ route }, { configuration: { url: '/openapi.json' } }, () => {
      reject(new Error('@scalar/fastify-api-reference has no /js/scalar.js.'));
    });
  });
  const licence = await licenceOf('@scalar/fastify-api-reference');
  await writeFile(join(VENDOR, 'api-reference.js'), licence + script);
}

/** The parts of Firebase's SDK that the pages use. */
const FIREBASE_AUTH = `
  export { initializeApp } from 'firebase/app';
  export {
    browserLocalPersistence, connectAuthEmulator, initializeAuth, onAuthStateChanged, signInWithEmailAndPassword, signOut,
  } from 'firebase/auth';
`;

async function bundleFirebaseAuth(): Promise<void> {
  await build({
    stdin: { contents: FIREBASE_AUTH, resolveDir: ROOT },
    outfile: join(VENDOR, 'firebase-auth.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    // After those of Firebase, which esbuild collects there.
    footer: { js: await licenceOf('idb') },
    logLevel: 'warning',
  });
}

/** `public/client.tgz` is the newest version of the client. */
async function copyNewestClient(): Promise<void> {
  const newest = Object.keys(publishedClients()).at(-1);
  if (newest === undefined) throw new Error('No client is published: run npm run client:publish.');
  await copyFile(packageOf(newest), join(ROOT, 'public/client.tgz'));
}
