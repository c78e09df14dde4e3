/**
 * Prints the deploy plan of a built package as JSON. A separate process, because jest's loader cannot load the firebase
 * CLI.
 */
import { deployPlan } from './manifest.ts';

const [functionsFolder = ''] = process.argv.slice(2);
console.log(JSON.stringify(await deployPlan(functionsFolder)));
