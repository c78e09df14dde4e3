/** Prints what would be deployed, as JSON: jest's loader does not take the firebase CLI. */
import { deployPlan } from './manifest.ts';

console.log(JSON.stringify(await deployPlan()));
