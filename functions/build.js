/** Builds the functions into `lib`: `node build.js [--watch] [--outdir FOLDER]`. */
import { parseArgs } from 'node:util';
import { bundle } from '@tattoo-marketplace/endpoints/build';

const { values } = parseArgs({
  options: {
    outdir: { type: 'string', default: 'lib' },
    watch: { type: 'boolean', default: false },
  },
});

await bundle({ folder: import.meta.dirname, ...values });
