import type { Plugin } from 'esbuild';

/**
 * Bundles only the declarations and schemas of the service into the Express baseline: the request pipeline and the data
 * access are replaced by stubs.
 */
export const schemasAlone: Plugin = {
  name: 'schemas-alone',
  setup(builder) {
    builder.onLoad({ filter: /functions\/src\/http\/endpoint\.ts$/ }, () => ({
      contents:
        'export const endpoint = (declaration) => Object.assign(() => undefined, { declaration });',
    }));
    // CommonJS, because a stub need not list its exports; none of them is called.
    builder.onResolve({ filter: /\/firestore\/\w+\.ts$/ }, ({ path }) => ({
      path,
      namespace: 'none',
    }));
    builder.onLoad({ filter: /.*/, namespace: 'none' }, () => ({
      contents:
        'module.exports = Object.create(new Proxy({}, { get: () => () => ({ fields: [] }) }));',
    }));
  },
};
