/** Builds the service into a folder: `node build.js FOLDER`. */
import { bundle } from '@tattoo-marketplace/endpoints/build';

await bundle({ folder: import.meta.dirname, outdir: process.argv[2] ?? 'lib', watch: false });
