/**
 * Creates an esbuild plugin that reports packages which the files of a folder need and which are
 * not installed. esbuild ignores a missing package if its `require` is in a `try` block, as in
 * firebase-admin, so that only the first call of the function would fail.
 *
 * @param {string} folder
 * @returns {import('esbuild').Plugin}
 */
export function createMissingPackagesPlugin(folder) {
  return {
    name: 'missing-packages',
    setup(builder) {
      builder.onResolve(
        { filter: /^[^./]/ },
        async ({ path, importer, pluginData, ...options }) => {
          if (pluginData === CHECKED || !importer.startsWith(folder)) return undefined;
          const result = await builder.resolve(path, { ...options, importer, pluginData: CHECKED });
          if (result.errors.length === 0) return undefined;
          const text = `${importer} needs the package ${path}, which is not installed. Run: npm install --save-exact ${path}`;
          return { errors: [{ text }] };
        },
      );
    },
  };
}

/** Marks an import that the plugin itself resolves. */
const CHECKED = Symbol('checked');
