/**
 * Builds the deployed file, `lib/index.cjs`, and two that it loads when a request needs them: `node build.js`. `--watch`
 * rebuilds after each change, `--outdir FOLDER` writes to another folder than `lib`.
 *
 * The service and all packages it uses are bundled, because loading them separately takes some 7000 file system calls at
 * each cold start. The format is CommonJS, because as ES modules firebase-admin loads all of gRPC.
 */
import { build, context } from 'esbuild';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const FOLDER = import.meta.dirname;
const ENTRY = 'the deployed functions';

const { values: args } = parseArgs({
  options: {
    outdir: { type: 'string', default: 'lib' },
    watch: { type: 'boolean', default: false },
  },
});

const { resolve } = createRequire(join(FOLDER, 'package.json'));

/**
 * The entry of the bundle: the deploy map of src/index.ts, but a process that serves one function only loads that
 * function. The file follows from the name: `flash.reorder` is in `src/flash/reorder.ts`.
 *
 * @type {import('esbuild').Plugin}
 */
const deployedFunctions = {
  name: 'deployed-functions',
  setup(builder) {
    builder.onResolve({ filter: new RegExp(`^${ENTRY}$`) }, ({ path }) => ({
      path,
      namespace: 'entry',
    }));
    builder.onLoad({ filter: /.*/, namespace: 'entry' }, async () => ({
      contents: entryOf(await deployMap()),
      resolveDir: FOLDER,
      watchFiles: [join(FOLDER, 'src/index.ts')],
    }));
  },
};

/** The names that are imported from firebase-admin: only requests with tokens need them. */
const ADMIN_NAMES = {
  'firebase-admin/app': ['initializeApp', 'deleteApp'],
  'firebase-admin/auth': ['getAuth'],
  'firebase-admin/app-check': ['getAppCheck'],
};

/**
 * Bundles two packages into files of their own, which stubs load on first use, because compiling them takes a tenth of a
 * cold start: firebase-admin, and jwks-rsa, which firebase-admin needs for App Check tokens only.
 *
 * @type {import('esbuild').Plugin}
 */
const lazyFiles = {
  name: 'lazy-files',
  setup(builder) {
    builder.onResolve({ filter: /^firebase-admin$/ }, ({ path }) => ({ path, namespace: 'admin' }));
    builder.onResolve({ filter: /^firebase-admin\// }, ({ path, namespace }) =>
      // Its CommonJS files: see above.
      namespace === 'admin' ? { path: resolve(path) } : { path, namespace: 'stub' },
    );
    builder.onResolve({ filter: /^jwks-rsa$/ }, ({ path, kind }) =>
      kind === 'entry-point'
        ? { path: createRequire(resolve('firebase-admin')).resolve(path) }
        : { path, namespace: 'stub' },
    );
    builder.onResolve({ filter: /\.cjs$/, namespace: 'stub' }, ({ path }) => ({
      path,
      external: true,
    }));
    builder.onLoad({ filter: /.*/, namespace: 'admin' }, () => ({
      contents: Object.entries(ADMIN_NAMES)
        .map(([path, names]) => getters(names, path))
        .join('\n'),
      resolveDir: FOLDER,
    }));
    builder.onLoad({ filter: /.*/, namespace: 'stub' }, ({ path }) => ({
      contents:
        path === 'jwks-rsa'
          ? "module.exports = (options) => require('./jwks-rsa.cjs')(options);"
          : getters(ADMIN_NAMES[path], './firebase-admin.cjs'),
    }));
  },
};

/**
 * Exports names of a module that is loaded on first use.
 *
 * @param {readonly string[]} names
 * @param {string} path
 */
function getters(names, path) {
  return names
    .map(
      (name) =>
        `Object.defineProperty(exports, '${name}', { enumerable: true, get: () => require('${path}').${name} });`,
    )
    .join('\n');
}

/**
 * Leaves out packages that are imported but never called here: the text encodings of raw-body, which only reads bytes;
 * a parser for multipart responses that only Cloud Messaging sends; the credentials of firebase-admin, which gets its
 * tokens from src/http/firebaseApp.ts.
 */
const UNUSED = /^(iconv-lite|@fastify\/busboy|google-auth-library)$/;

/** jsonwebtoken asks semver if Node is recent enough for some algorithms: `target` below is. */
const SEMVER = /^semver$/;

/** @type {import('esbuild').Plugin} */
const replaced = {
  name: 'replaced',
  setup(builder) {
    replace(UNUSED, '');
    replace(SEMVER, 'exports.satisfies = () => true;');

    /** @param {RegExp} filter @param {string} contents */
    function replace(filter, contents) {
      const namespace = `replaced ${filter.source}`;
      builder.onResolve({ filter }, ({ path }) => ({ path, namespace }));
      builder.onLoad({ filter: /.*/, namespace }, () => ({ contents }));
    }
  },
};

/**
 * Replaces a file atomically, so that a process that loads it at that moment gets either the complete old one or the
 * complete new one. The emulator's watcher and the CLI's upload ignore hidden files.
 *
 * @type {import('esbuild').Plugin}
 */
const replacedAtOnce = {
  name: 'replaced-at-once',
  setup(builder) {
    builder.onEnd(async ({ outputFiles = [] }) => {
      for (const { path, contents } of outputFiles) {
        const folder = dirname(path);
        const unfinished = join(folder, `.${basename(path)}-${process.pid}`);
        await mkdir(folder, { recursive: true });
        await writeFile(unfinished, contents);
        await rename(unfinished, path);
      }
    });
  },
};

/** @type {import('esbuild').BuildOptions} */
const options = {
  absWorkingDir: FOLDER,
  entryPoints: { index: ENTRY, 'firebase-admin': 'firebase-admin', 'jwks-rsa': 'jwks-rsa' },
  outdir: args.outdir,
  write: false,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  // Identifiers are not minified, for readable stack traces.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  // Node loads an ASCII file faster.
  charset: 'ascii',
  plugins: [deployedFunctions, lazyFiles, replaced, replacedAtOnce],
  logLevel: 'warning',
};

/** The names of the functions by group, as src/index.ts exports them. */
async function deployMap() {
  const source = await readFile(join(FOLDER, 'src/index.ts'), 'utf8');
  const names = [...source.matchAll(/from '\.\/(\w+)\/(\w+)\.ts'/g)];
  return names.map(([, group, name]) => `${group}.${name}`);
}

/** @param {readonly string[]} names */
function entryOf(names) {
  const loaders = names.map((name) => {
    const [group, own] = name.split('.');
    return `${JSON.stringify(name)}: () => require('./src/${group}/${own}.ts').${own}`;
  });
  return `
    // Node hides deprecation warnings of packages in node_modules, but in a bundle it cannot recognize them.
    process.noDeprecation = true;
    const loaders = { ${loaders.join(',\n')} };
    const target = process.env.FUNCTION_TARGET;
    for (const name of target in loaders ? [target] : Object.keys(loaders)) {
      const [group, own] = name.split('.');
      (exports[group] ??= {})[own] = loaders[name]();
    }`;
}

if (args.watch) await (await context(options)).watch();
else await build(options);
