/**
 * Bundles the functions with all packages that they use, because loading them separately takes thousands of file system
 * calls at each cold start. It writes three files: `lib/index.cjs` switches source maps on and loads `functions.cjs`, the
 * functions and most packages; firebase-admin and what belongs to it are in `firebase-admin.cjs`, which is loaded when one
 * of them is first used. The format is CommonJS, because as ES modules firebase-admin loads all of gRPC.
 *
 * `node build.js --watch` rebuilds after each change, `--outdir FOLDER` writes to another folder than `lib`.
 */
import { build, context } from 'esbuild';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const FOLDER = import.meta.dirname;

const { watch, outdir } = parseArgs({
  options: {
    outdir: { type: 'string', default: 'lib' },
    watch: { type: 'boolean', default: false },
  },
}).values;

const ENTRY = `
  // Node hides deprecation warnings of packages in node_modules, but in a bundle it cannot recognize them.
  process.noDeprecation = true;
  module.exports = require('./src/index.ts');
  const target = (process.env.FUNCTION_TARGET ?? '').split('.');
  const served = target.reduce((group, name) => group?.[name], module.exports);
  // Other functions get their requests as the framework passes them on.
  if (served?.declaration !== undefined) require('./src/platform/functionsFramework.ts').prepareProcess();`;

/**
 * Packages that are loaded on first use; whoever imports them gets the same copy. firebase-functions imports
 * firebase-admin at its top, which makes the cold start of a page longer for nothing. firebase-admin imports the other
 * packages itself: for App Check tokens, for apps that are created without credentials, and for its Firestore.
 */
const LAZY = /^(firebase-admin|jwks-rsa|google-auth-library|@google-cloud\/firestore)(\/|$)/;
/** The file with their modules that the functions import. */
const LAZY_FILE = './firebase-admin.cjs';

/** Resolves packages as firebase-admin does. */
const admin = createRequire(createRequire(import.meta.url).resolve('firebase-admin'));

/**
 * Puts a stub in place of each imported module of a lazy package, which loads it when it is used.
 *
 * @param {(path: string) => string} load the expression that loads a module
 * @returns {import('esbuild').Plugin}
 */
const lazyPackages = (load) => ({
  name: 'lazy-packages',
  setup(builder) {
    builder.onResolve({ filter: LAZY }, ({ path, resolveDir, namespace, importer }) => {
      if (namespace === 'stub' || importer === '<stdin>') return undefined;
      const { resolve } = createRequire(join(resolveDir, 'importer'));
      // Another version than firebase-admin's is bundled like any other package.
      return resolve(path) === admin.resolve(path) ? { path, namespace: 'stub' } : undefined;
    });
    builder.onLoad({ filter: /.*/, namespace: 'stub' }, ({ path }) => {
      const exported = admin(path);
      const names = Object.fromEntries(Object.keys(exported).map((name) => [name, null]));
      const target = typeof exported === 'function' ? 'function () {}' : '{}';
      const contents = `
        const load = () => ${load(path)};
        module.exports = new Proxy(Object.assign(${target}, ${JSON.stringify(names)}), {
          get: (_, name) => load()[name],
          apply: (_, self, args) => Reflect.apply(load(), self, args),
          construct: (_, args) => Reflect.construct(load(), args),
        });`;
      return { contents, resolveDir: dirname(admin.resolve('firebase-admin')) };
    });
  },
});

/** In the bundle itself this would have no effect: Node shows places in the source for files that are loaded after it. */
const FIRST = `process.setSourceMapsEnabled(true);\nmodule.exports = require('./functions.cjs');\n`;

/**
 * Writes `LAZY_FILE`, the bundle, and the file that loads it.
 *
 * @type {import('esbuild').Plugin}
 */
const output = {
  name: 'output',
  setup(builder) {
    let lazySource = '';
    builder.onEnd(async ({ metafile, outputFiles = [] }) => {
      // An error in the source leaves the files as they are.
      if (metafile === undefined) return;
      // Sorted, so that the same source always gives the same files: the CLI does not deploy unchanged ones.
      const members = Object.keys(metafile.inputs)
        .filter((input) => input.startsWith('stub:'))
        .map((input) => input.slice('stub:'.length))
        .sort()
        .map((path) => `get '${path}'() { return require('${path}'); }`);
      const contents = `module.exports = { ${members.join(', ')} };`;
      if (contents !== lazySource) {
        lazySource = contents;
        const lazy = await build({
          ...common,
          stdin: { contents, resolveDir: dirname(admin.resolve('firebase-admin')) },
          outfile: join(outdir, LAZY_FILE),
          // Inside the file, what firebase-admin does not always need is lazy too.
          plugins: [lazyPackages((path) => `require('${path}')`)],
        });
        await Promise.all((lazy.outputFiles ?? []).map(replace));
      }
      await Promise.all(outputFiles.map(replace));
      await replace({ path: resolve(FOLDER, outdir, 'index.cjs'), contents: FIRST });
    });
  },
};

/**
 * Replaces a file atomically, so that a process that loads it at that moment gets either the complete old one or the
 * complete new one. The emulator's watcher and the CLI's upload ignore hidden files.
 *
 * @param {{ readonly path: string, readonly contents: string | Uint8Array }} file
 */
async function replace({ path, contents }) {
  const folder = dirname(path);
  const unfinished = join(folder, `.${basename(path)}-${process.pid}`);
  await mkdir(folder, { recursive: true });
  await writeFile(unfinished, contents);
  await rename(unfinished, path);
}

/** @type {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: FOLDER,
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
  // Where CommonJS stands in an ES module, its exports are lost: with only a warning, its functions would not be deployed.
  logOverride: { 'commonjs-variable-in-esm': 'error', 'import-is-undefined': 'error' },
};

/** @type {import('esbuild').BuildOptions} */
const functions = {
  ...common,
  stdin: { contents: ENTRY, resolveDir: FOLDER },
  plugins: [lazyPackages((path) => `require('${LAZY_FILE}')['${path}']`), output],
  external: [LAZY_FILE],
  metafile: true,
  outfile: join(outdir, 'functions.cjs'),
  sourcemap: 'linked',
  sourcesContent: false,
};

if (watch) await (await context(functions)).watch();
else await build(functions);
