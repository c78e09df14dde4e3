/**
 * `npm run check:parameters -- --project P`, which the CLI runs before each deploy of functions: exits with 1 if the
 * parameters of the project (functions/.env and functions/.env.PROJECT) are incomplete or invalid.
 */
import { readFileSync } from 'node:fs';
import { PROJECT, readCommand, requireProject } from './commandLine.ts';
import {
  databaseFaults,
  declaredParameters,
  parameterFaults,
  parameterValues,
  regionWarnings,
} from './parameters.ts';

const given = readCommand('npm run check:parameters -- --project P', { project: PROJECT });
// The CLI names the project of the deploy in the environment.
const project = requireProject(given.project ?? process.env.GCLOUD_PROJECT);
const { values, files } = parameterValues(project);
const config = JSON.parse(readFileSync('firebase.json', 'utf8')) as { firestore: object };
const faults = [
  ...parameterFaults(declaredParameters(), values),
  ...databaseFaults(config.firestore, values),
];
for (const line of [...faults, ...regionWarnings(values)]) {
  console.error(`${files.join(', ')}: ${line}`);
}
if (faults.length === 0) console.log(`${files.join(', ')}: the parameters are complete and valid.`);
process.exitCode = faults.length === 0 ? 0 : 1;
