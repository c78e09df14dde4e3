/** Prints what would be deployed of a built package, as JSON: jest's loader does not take the firebase CLI. */
import { deployPlan } from './manifest.ts';

const [functionsFolder = ''] = process.argv.slice(2);
console.log(JSON.stringify(await deployPlan(functionsFolder)));
