/** The entry points of the bundles: one for all functions, and one for each function that has a bundle of its own. */
import { build } from 'esbuild';

/** The esbuild namespace of the entry points. */
const NAMESPACE = 'entry-point';

/** A function's file, as `index.ts` imports it. */
const FUNCTION_FILE = /^\.\/(\w+)\/(\w+)\.ts$/;

/**
 * Lists the functions (`flash.reorder`) that `index.ts` imports from the file of their name (`./flash/reorder.ts`), and exports
 * in their group.
 *
 * @param {string} folder the folder of the package
 */
export async function listBundledFunctions(folder) {
  // Everything else is external, so this reads only index.ts.
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ['src/index.ts'],
    bundle: true,
    external: ['./*'],
    packages: 'external',
    format: 'esm',
    outdir: 'lib',
    write: false,
    metafile: true,
  });
  const groups = Object.values(metafile.outputs).flatMap((output) => output.exports);
  return Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .flatMap(({ path }) => {
      const [, group, name] = FUNCTION_FILE.exec(path) ?? [];
      return group !== undefined && groups.includes(group) ? [`${group}.${name}`] : [];
    });
}

/** The bundle of all functions. The names of other bundles have a dot: `flash.reorder`. */
export const ALL_FUNCTIONS = 'functions';

/**
 * Returns the entry points of these bundles, for esbuild's options.
 *
 * @param {readonly string[]} names
 */
export function createEntryPoints(names) {
  return names.map((name) => ({ in: `${NAMESPACE}:${name}`, out: name }));
}

/**
 * Creates an esbuild plugin that provides the source of the entry points.
 *
 * @param {string} folder the folder of the package
 * @returns {import('esbuild').Plugin}
 */
export function createEntryPointsPlugin(folder) {
  return {
    name: 'entry-points',
    setup(builder) {
      const filter = new RegExp(`^${NAMESPACE}:`);
      builder.onResolve({ filter }, ({ path }) => {
        return { path: path.replace(filter, ''), namespace: NAMESPACE };
      });
      builder.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => {
        const contents = path === ALL_FUNCTIONS ? ALL_FUNCTIONS_SOURCE : createFunctionSource(path);
        return { contents, resolveDir: folder };
      });
    },
  };
}

/** The functions that `index.ts` exports, whatever their names. */
const ALL_FUNCTIONS_SOURCE = `
  module.exports = require('./src/index.ts');
  require('@tattoo-marketplace/endpoints').startProcess(module.exports);`;

/**
 * Returns the source of a module that exports one function in its group, like `index.ts`. The build fails if the function's
 * file does not export it.
 *
 * @param {string} path `flash.reorder`
 */
function createFunctionSource(path) {
  const [group, name] = path.split('.');
  return `
    import { startProcess } from '@tattoo-marketplace/endpoints';
    import { ${name} } from './src/${group}/${name}.ts';
    export const ${group} = { ${name} };
    startProcess({ ${group} });`;
}
