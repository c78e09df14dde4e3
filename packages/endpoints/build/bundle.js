/**
 * Bundles the functions of a service and their dependencies. Loading the modules separately would
 * take thousands of file system calls at each cold start.
 */
import { build, context } from 'esbuild';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';

const FUNCTIONS_SOURCE = `
  // Node hides deprecation warnings of packages in node_modules, but in a bundle it cannot recognize them.
  process.noDeprecation = true;
  module.exports = require('./src/index.ts');
  const target = (process.env.FUNCTION_TARGET ?? '').split('.');
  const served = target.reduce((group, name) => group?.[name], module.exports);
  // Only endpoints need the prepared process. Other functions run in an unmodified framework.
  if (served?.declaration !== undefined) require('@tattoo-marketplace/endpoints').prepareProcess();`;

/**
 * Packages that are loaded lazily, on first use, as one shared copy. `firebase-functions` imports
 * `firebase-admin` eagerly, which slows down the cold start of public endpoints that never use it.
 * The other packages are dependencies of `firebase-admin`.
 */
const LAZY_PACKAGES =
  /^(firebase-admin|jwks-rsa|google-auth-library|@google-cloud\/firestore)(\/|$)/;
/** The file that contains the lazy packages. */
const LAZY_BUNDLE = './firebase-admin.cjs';

/**
 * An esbuild plugin that replaces each import of a lazy package with a proxy. The proxy loads the
 * module when one of its exports is first used.
 *
 * @param {NodeJS.Require} requireFromAdmin resolves packages as firebase-admin does
 * @param {(path: string) => string} load the expression that loads a module
 * @returns {import('esbuild').Plugin}
 */
const lazyPackages = (requireFromAdmin, load) => ({
  name: 'lazy-packages',
  setup(builder) {
    builder.onResolve({ filter: LAZY_PACKAGES }, ({ path, resolveDir, namespace, importer }) => {
      if (namespace === 'stub' || importer === '<stdin>') return undefined;
      const { resolve } = createRequire(join(resolveDir, 'importer'));
      // A version that differs from the one firebase-admin uses is bundled like any other package.
      return resolve(path) === requireFromAdmin.resolve(path)
        ? { path, namespace: 'stub' }
        : undefined;
    });
    builder.onLoad({ filter: /.*/, namespace: 'stub' }, ({ path }) => {
      const exported = requireFromAdmin(path);
      const names = Object.fromEntries(Object.keys(exported).map((name) => [name, null]));
      const target = typeof exported === 'function' ? 'function () {}' : '{}';
      const contents = `
        const load = () => ${load(path)};
        module.exports = new Proxy(Object.assign(${target}, ${JSON.stringify(names)}), {
          get: (_, name) => load()[name],
          apply: (_, self, args) => Reflect.apply(load(), self, args),
          construct: (_, args) => Reflect.construct(load(), args),
        });`;
      return { contents, resolveDir: dirname(requireFromAdmin.resolve('firebase-admin')) };
    });
  },
});

/**
 * Source maps must be enabled before `functions.cjs` is loaded: Node ignores the maps of files that
 * are already loaded.
 */
const INDEX_SOURCE = `process.setSourceMapsEnabled(true);\nmodule.exports = require('./functions.cjs');\n`;

/** @type {import('esbuild').BuildOptions} */
const COMMON_OPTIONS = {
  write: false,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  // Identifiers are not minified, for readable stack traces.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  // If an ES module assigns CommonJS exports, esbuild drops them with only a warning, and the
  // functions would silently not be deployed.
  logOverride: { 'commonjs-variable-in-esm': 'error', 'import-is-undefined': 'error' },
};

/**
 * Bundles what `src/index.ts` of a package exports. It writes three files: `index.cjs` switches source maps on and loads
 * `functions.cjs`, the functions and most packages; firebase-admin and what belongs to it are in `firebase-admin.cjs`, which is
 * loaded when one of them is first used. The format is CommonJS, because as ES modules firebase-admin loads all of gRPC.
 *
 * @param {object} options
 * @param {string} options.folder the folder of the package
 * @param {string} options.outdir where the files are written, seen from that folder
 * @param {boolean} options.watch whether they are written again after each change, until the process ends
 */
export async function bundle({ folder, outdir, watch }) {
  const requireFromAdmin = createRequire(
    createRequire(join(folder, 'package.json')).resolve('firebase-admin'),
  );
  const adminFolder = dirname(requireFromAdmin.resolve('firebase-admin'));
  let previousLazySource = '';

  /**
   * Writes the file of the lazy packages, the bundle, and the file that loads it.
   *
   * @param {import('esbuild').BuildResult} result
   */
  async function writeOutput({ metafile, outputFiles = [] }) {
    // The build failed: keep the previous files.
    if (metafile === undefined) return;
    // Sorted, so that the same source always gives the same files: the CLI does not deploy unchanged ones.
    const members = Object.keys(metafile.inputs)
      .filter((input) => input.startsWith('stub:'))
      .map((input) => input.slice('stub:'.length))
      .sort()
      .map((path) => `get '${path}'() { return require('${path}'); }`);
    const contents = `module.exports = { ${members.join(', ')} };`;
    if (contents !== previousLazySource) {
      previousLazySource = contents;
      const lazy = await build({
        ...COMMON_OPTIONS,
        absWorkingDir: folder,
        stdin: { contents, resolveDir: adminFolder },
        outfile: join(outdir, LAZY_BUNDLE),
        // Within this file, dependencies that firebase-admin does not always need are lazy as well.
        plugins: [lazyPackages(requireFromAdmin, (path) => `require('${path}')`)],
      });
      await Promise.all((lazy.outputFiles ?? []).map(writeAtomically));
    }
    await Promise.all(outputFiles.map(writeAtomically));
    await writeAtomically({ path: resolve(folder, outdir, 'index.cjs'), contents: INDEX_SOURCE });
  }

  /** @type {import('esbuild').Plugin} */
  const output = {
    name: 'output',
    setup(builder) {
      builder.onEnd(writeOutput);
    },
  };
  /** @type {import('esbuild').BuildOptions} */
  const functionsOptions = {
    ...COMMON_OPTIONS,
    absWorkingDir: folder,
    stdin: { contents: FUNCTIONS_SOURCE, resolveDir: folder },
    plugins: [
      lazyPackages(requireFromAdmin, (path) => `require('${LAZY_BUNDLE}')['${path}']`),
      output,
    ],
    external: [LAZY_BUNDLE],
    metafile: true,
    outfile: join(outdir, 'functions.cjs'),
    sourcemap: 'linked',
    sourcesContent: false,
  };

  if (watch) await (await context(functionsOptions)).watch();
  else await build(functionsOptions);
}

/**
 * Replaces a file atomically, so that a process that loads it at that moment gets either the complete old one or the
 * complete new one. The emulator's watcher and the CLI's upload ignore hidden files.
 *
 * @param {{ readonly path: string, readonly contents: string | Uint8Array }} file
 */
async function writeAtomically({ path, contents }) {
  const folder = dirname(path);
  const temporaryPath = join(folder, `.${basename(path)}-${process.pid}`);
  await mkdir(folder, { recursive: true });
  await writeFile(temporaryPath, contents);
  await rename(temporaryPath, path);
}
