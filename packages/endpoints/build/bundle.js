/**
 * Bundles the functions of a service and their dependencies. Loading the modules separately would
 * take thousands of file system calls at each cold start, and loading the functions of other
 * processes takes a third of its processor time.
 *
 *     index.cjs ──► flash.reorder.cjs ─────────┬─on first use──► firebase-admin.cjs
 *     chooses       one function, endpoints,   │                 firebase-admin, jwks-rsa,
 *     the bundle    zod, firebase-functions    │                 google-auth-library,
 *              └──► functions.cjs ─────────────┘                 @google-cloud/firestore
 *                   all functions: for the Firebase CLI, and for functions without a bundle
 *
 * A function `flash.reorder` has a bundle of its own if `index.ts` imports `./flash/reorder.ts`,
 * which exports it as `reorder`.
 *
 * The format is CommonJS, because as ES modules firebase-admin loads all of gRPC.
 */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { build, context } from 'esbuild';
import {
  ALL_FUNCTIONS,
  createEntryPoints,
  createEntryPointsPlugin,
  listBundledFunctions,
} from './entryPoints.js';
import { createLazyPackagesPlugin, listLazyModules } from './lazyPackages.js';
import { createMissingPackagesPlugin } from './missingPackages.js';

const INDEX_FILE = 'index.cjs';
const LAZY_FILE = 'firebase-admin.cjs';

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
 * Bundles what `src/index.ts` of a package exports.
 *
 * @param {object} options
 * @param {string} options.folder the folder of the package
 * @param {string} options.outdir where the files are written, relative to that folder
 * @param {boolean} options.watch whether to write `functions.cjs` again after each change, until the process ends. Functions
 * then have no bundles of their own.
 */
export async function bundle({ folder, outdir, watch }) {
  const { resolve: resolveFromPackage } = createRequire(join(folder, 'package.json'));
  const requireFromAdmin = createRequire(resolveFromPackage('firebase-admin'));
  const writeLazyFile = createLazyFileWriter({ folder, outdir, requireFromAdmin });
  const bundledFunctions = watch ? [] : await listBundledFunctions(folder);

  /** @param {import('esbuild').BuildResult} result */
  async function writeFiles({ metafile, outputFiles = [] }) {
    // The build failed: keep the previous files.
    if (metafile === undefined) return;
    await writeLazyFile(listLazyModules(metafile));
    await Promise.all(outputFiles.map(writeAtomically));
    await writeAtomically({
      path: resolve(folder, outdir, INDEX_FILE),
      contents: createIndexSource(bundledFunctions),
    });
    await removeOtherBundles(resolve(folder, outdir), [
      INDEX_FILE,
      LAZY_FILE,
      ...outputFiles.map(({ path }) => basename(path)),
    ]);
  }

  /** @type {import('esbuild').Plugin} */
  const output = {
    name: 'output',
    setup(builder) {
      builder.onEnd(writeFiles);
    },
  };
  const lazy = createLazyPackagesPlugin({
    requireFromAdmin,
    loadExpression: (path) => `require('./${LAZY_FILE}')['${path}']`,
  });
  /** @type {import('esbuild').BuildOptions} */
  const options = {
    ...COMMON_OPTIONS,
    absWorkingDir: folder,
    entryPoints: createEntryPoints([ALL_FUNCTIONS, ...bundledFunctions]),
    plugins: [createEntryPointsPlugin(folder), lazy, output],
    external: [`./${LAZY_FILE}`],
    metafile: true,
    outdir,
    outExtension: { '.js': '.cjs' },
    sourcemap: 'linked',
    sourcesContent: false,
  };

  if (watch) await (await context(options)).watch();
  else await build(options);
}

/**
 * Returns the source of `index.cjs`, which loads the bundle of the function that this process serves, or all functions: for the
 * Firebase CLI, for functions without a bundle, and where the option `--target` may name another function.
 *
 * @param {readonly string[]} bundledFunctions
 */
function createIndexSource(bundledFunctions) {
  return `// Node ignores the source maps of files that were loaded before.
process.setSourceMapsEnabled(true);
// Node hides deprecation warnings of packages in node_modules, but cannot recognize those packages in a bundle.
process.noDeprecation = true;
const bundledFunctions = ${JSON.stringify(bundledFunctions)};
const { FUNCTION_TARGET } = process.env;
const hasTargetOption = process.argv.some((argument) => argument.startsWith('--target'));
module.exports =
  bundledFunctions.includes(FUNCTION_TARGET) && !hasTargetOption
    ? require(\`./\${FUNCTION_TARGET}.cjs\`)
    : require('./${ALL_FUNCTIONS}.cjs');
`;
}

/**
 * Creates a function that writes the file of the lazy packages, if the list of their modules has
 * changed since the last call.
 *
 * @param {{ readonly folder: string, readonly outdir: string, readonly requireFromAdmin: NodeJS.Require }} options
 */
function createLazyFileWriter({ folder, outdir, requireFromAdmin }) {
  const adminFolder = dirname(requireFromAdmin.resolve('firebase-admin'));
  let previousSource = '';
  // Within this file, dependencies that firebase-admin does not always need are lazy as well.
  const lazy = createLazyPackagesPlugin({
    requireFromAdmin,
    loadExpression: (path) => `require('${path}')`,
  });

  /** @param {readonly string[]} modules sorted, because the CLI deploys only files that have changed */
  return async (modules) => {
    const getters = modules.map((path) => `get '${path}'() { return require('${path}'); }`);
    const source = `module.exports = { ${getters.join(', ')} };`;
    if (source === previousSource) return;
    previousSource = source;
    const { outputFiles = [] } = await build({
      ...COMMON_OPTIONS,
      absWorkingDir: folder,
      stdin: { contents: source, resolveDir: adminFolder },
      outfile: join(outdir, LAZY_FILE),
      plugins: [createMissingPackagesPlugin(adminFolder), lazy],
    });
    await Promise.all(outputFiles.map(writeAtomically));
  };
}

/**
 * Removes the bundles of functions that no longer exist, which would be deployed.
 *
 * @param {string} folder @param {readonly string[]} files the current files
 */
async function removeOtherBundles(folder, files) {
  const outdated = (await readdir(folder)).filter(
    (file) => /^\w.*\.cjs(\.map)?$/.test(file) && !files.includes(file),
  );
  await Promise.all(outdated.map((file) => rm(join(folder, file))));
}

/**
 * Replaces a file atomically, so that a process that loads it at that moment gets either the
 * complete old one or the complete new one. The emulator's watcher and the CLI's upload ignore
 * hidden files.
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
