import scalar from '@scalar/fastify-api-reference';
import { build } from 'esbuild';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageOf, publishedClients } from './clientPackages.ts';

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

/** A route of Scalar's plugin. */
interface Route {
  readonly url: string;
  readonly handler: (request: undefined, reply: object) => void;
}

/**
 * Scalar's API reference as a single file. It comes from the plugin for Fastify, because the reference's own package
 * would install 200 MB. The plugin needs no Fastify to hand out its file.
 */
async function copyReference(vendor: string): Promise<void> {
  const addRoutes = scalar as unknown as (app: object, options: object, done: () => void) => void;
  let script: string | undefined;
  const reply = {
    header: () => reply,
    send: (content: string) => {
      script = content;
    },
  };
  const route = ({ url, handler }: Route) => {
    if (url.endsWith('/js/scalar.js')) handler(undefined, reply);
  };
  addRoutes({ route }, { configuration: { url: '/openapi.json' } }, () => undefined);
  if (script === undefined) throw new Error('@scalar/fastify-api-reference has no /js/scalar.js.');
  await writeFile(join(vendor, 'api-reference.js'), script);
}

/** The parts of Firebase's SDK that the pages use. */
const FIREBASE_AUTH = `
  export { initializeApp } from 'firebase/app';
  export {
    browserLocalPersistence, connectAuthEmulator, initializeAuth, onAuthStateChanged, signInWithEmailAndPassword, signOut,
  } from 'firebase/auth';
`;

async function bundleFirebaseAuth(root: string, vendor: string): Promise<void> {
  await build({
    stdin: { contents: FIREBASE_AUTH, resolveDir: root },
    outfile: join(vendor, 'firebase-auth.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
}

/** `public/client.tgz` is the newest version of the client. */
async function copyNewestClient(folder: string): Promise<void> {
  const newest = Object.keys(publishedClients()).at(-1);
  if (newest === undefined) throw new Error('No client is published: run npm run client:publish.');
  await copyFile(packageOf(newest), join(folder, 'client.tgz'));
}
