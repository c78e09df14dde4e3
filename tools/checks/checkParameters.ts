/**
 * `npm run check:parameters`, which the CLI runs before each deploy of functions: exits with 1 if the parameters of the
 * project (functions/.env and functions/.env.PROJECT) are incomplete or invalid.
 */
import { readFileSync } from 'node:fs';
import {
  databaseFaults,
  declaredParameters,
  parameterFaults,
  parameterValues,
  regionWarnings,
} from './parameters.ts';

const { values, files } = parameterValues(process.env.GCLOUD_PROJECT ?? 'YOUR_PROJECT');
const config = JSON.parse(readFileSync('firebase.json', 'utf8')) as { firestore: object };
const faults = [
  ...parameterFaults(declaredParameters(), values),
  ...databaseFaults(config.firestore, values),
];
for (const line of [...faults, ...regionWarnings(values)]) {
  console.error(`${files.join(', ')}: ${line}`);
}
process.exitCode = faults.length === 0 ? 0 : 1;
