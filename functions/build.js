/**
 * Builds the deployed file, `lib/index.cjs`: `node build.js`. `--watch` rebuilds after each change, `--outdir FOLDER`
 * writes to another folder than `lib`.
 *
 * The service and all packages it uses are bundled into one file, because loading them separately takes some 7000 file
 * system calls at each cold start. The format is CommonJS, because as ES modules firebase-admin loads all of gRPC.
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

/** Packages that only some requests need, with the names that are imported from them. */
const LAZY = {
  'firebase-admin/app': ['initializeApp', 'deleteApp'],
  'firebase-admin/auth': ['getAuth'],
  'firebase-admin/app-check': ['getAppCheck'],
};

/**
 * Loads the packages above on first use, and resolves firebase-admin to its CommonJS files.
 *
 * @type {import('esbuild').Plugin}
 */
const lazyPackages = {
  name: 'lazy-packages',
  setup(builder) {
    builder.onResolve({ filter: /^firebase-admin\// }, ({ path, namespace }) =>
      path in LAZY && namespace !== 'lazy' ? { path, namespace: 'lazy' } : { path: resolve(path) },
    );
    builder.onLoad({ filter: /.*/, namespace: 'lazy' }, ({ path }) => ({
      contents: LAZY[path].map((name) => getter(path, name)).join('\n'),
      resolveDir: FOLDER,
    }));
  },
};

/** @param {string} path @param {string} name */
function getter(path, name) {
  return `Object.defineProperty(exports, '${name}', { enumerable: true, get: () => require('${path}').${name} });`;
}

/**
 * Leaves out packages that are imported but never called here: the text encodings of raw-body, which only reads bytes;
 * a polyfill for streams that Node has; a parser for multipart responses that only Cloud Messaging sends.
 *
 * @type {import('esbuild').Plugin}
 */
const unused = {
  name: 'unused',
  setup(builder) {
    const filter = /^(iconv-lite|web-streams-polyfill\/.*|@fastify\/busboy)$/;
    builder.onResolve({ filter }, ({ path }) => ({ path, namespace: 'unused' }));
    builder.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: '' }));
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
  entryPoints: { index: ENTRY },
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
  plugins: [deployedFunctions, lazyPackages, unused, replacedAtOnce],
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
