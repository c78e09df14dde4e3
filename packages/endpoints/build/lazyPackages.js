import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Packages that are loaded on first use, as one shared copy. `firebase-functions` imports
 * `firebase-admin` eagerly, which slows down the cold start of public endpoints that never use it.
 * The other packages are dependencies of `firebase-admin`.
 */
const LAZY_PACKAGES =
  /^(firebase-admin|jwks-rsa|google-auth-library|@google-cloud\/firestore)(\/|$)/;

/** The esbuild namespace of the proxies. */
const NAMESPACE = 'lazy';

/**
 * Creates an esbuild plugin that replaces each import of a lazy package with a proxy. The proxy
 * loads the package when one of its exports is first used.
 *
 * @param {object} options
 * @param {NodeJS.Require} options.requireFromAdmin resolves packages as firebase-admin does
 * @param {(path: string) => string} options.loadExpression returns the source of an expression that loads a module
 * @returns {import('esbuild').Plugin}
 */
export function createLazyPackagesPlugin({ requireFromAdmin, loadExpression }) {
  return {
    name: 'lazy-packages',
    setup(builder) {
      builder.onResolve({ filter: LAZY_PACKAGES }, ({ path, resolveDir, namespace, importer }) => {
        // The proxy itself, and the file of the lazy packages, load the package.
        if (namespace === NAMESPACE || importer === '<stdin>') return undefined;
        const { resolve } = createRequire(join(resolveDir, 'importer'));
        const file = resolve(path);
        const sharedFile = requireFromAdmin.resolve(path);
        if (file === sharedFile) return { path, namespace: NAMESPACE };
        if (path.split('/')[0] === 'firebase-admin') {
          const text = `${importer} imports a second copy of firebase-admin: ${file} besides ${sharedFile}. Both would be loaded. Install one version for all packages; npm explain firebase-admin shows who needs which.`;
          return { errors: [{ text }] };
        }
        // Another version than that of firebase-admin is bundled like any other package.
        return undefined;
      });
      builder.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
        contents: buildProxySource(requireFromAdmin(path), loadExpression(path)),
        resolveDir: dirname(requireFromAdmin.resolve('firebase-admin')),
      }));
    },
  };
}

/**
 * Lists the modules that a build replaced with proxies, in alphabetical order.
 *
 * @param {import('esbuild').Metafile} metafile
 */
export function listLazyModules(metafile) {
  const prefix = `${NAMESPACE}:`;
  return Object.keys(metafile.inputs)
    .filter((input) => input.startsWith(prefix))
    .map((input) => input.slice(prefix.length))
    .sort();
}

/**
 * Returns the source of a module that has the same export names as `exported`, and loads the real
 * module on first use.
 *
 * @param {object | Function} exported
 * @param {string} loadExpression
 */
function buildProxySource(exported, loadExpression) {
  const names = Object.fromEntries(Object.keys(exported).map((name) => [name, null]));
  const target = typeof exported === 'function' ? 'function () {}' : '{}';
  return `
    const load = () => ${loadExpression};
    module.exports = new Proxy(Object.assign(${target}, ${JSON.stringify(names)}), {
      get: (_, name) => load()[name],
      apply: (_, self, args) => Reflect.apply(load(), self, args),
      construct: (_, args) => Reflect.construct(load(), args),
    });`;
}
