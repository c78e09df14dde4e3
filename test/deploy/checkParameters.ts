/**
 * `npm run check:parameters`, which the CLI runs before each deploy of functions: exits with 1 if the parameters of the
 * project (functions/.env and functions/.env.PROJECT) are incomplete or invalid.
 */
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { FUNCTIONS } from '../emulator/functionsBuild.ts';
import { deployPlan } from './manifest.ts';
import { databaseFaults, parameterFaults } from './parameters.ts';

const project = process.env.GCLOUD_PROJECT ?? 'YOUR_PROJECT';
const files = ['functions/.env', `functions/.env.${project}`].filter((file) => existsSync(file));
if (files.length === 0) {
  console.error(
    `functions/.env.${project} is missing: copy functions/.env.example there and set the parameters.`,
  );
  process.exit(1);
}
const values = parseEnv(files.map((file) => readFileSync(file, 'utf8')).join('\n'));
const config = JSON.parse(readFileSync('firebase.json', 'utf8')) as { firestore: object };
const faults = [
  ...parameterFaults((await deployPlan(FUNCTIONS)).parameters, values),
  ...databaseFaults(config.firestore, values),
];
for (const fault of faults) console.error(`${files.join(', ')}: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
