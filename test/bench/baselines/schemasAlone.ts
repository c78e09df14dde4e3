import type { Plugin } from 'esbuild';

/**
 * For the app that is written by hand: of the service it gets the declarations, and so its schemas, without the code that
 * serves them. What is replaced are the pipeline of a request and the data access.
 */
export const schemasAlone: Plugin = {
  name: 'schemas-alone',
  setup(builder) {
    builder.onLoad({ filter: /functions\/src\/http\/endpoint\.ts$/ }, () => ({
      contents: 'export const endpoint = (declaration) => ({ declaration });',
    }));
    // CommonJS, so that it need not name what it stands for: nothing of it is called.
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
