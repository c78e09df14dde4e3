/**
 * Builds the deployed file: `node build.js`, or `node build.js --watch` to build again after each change.
 *
 * One CommonJS file, made by esbuild: as ES modules firebase-admin would load all of gRPC at import, and one
 * file is read faster than many.
 */
import { build, context } from 'esbuild';

/** @type {import('esbuild').BuildOptions} */
const options = {
  absWorkingDir: import.meta.dirname,
  entryPoints: ['src/index.ts'],
  outfile: 'lib/index.cjs',
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  sourcemap: true,
  logLevel: 'warning',
};

if (process.argv.includes('--watch')) await (await context(options)).watch();
else await build(options);
