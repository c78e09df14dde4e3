import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { startCloud, type Cloud } from '../cloud/cloud.ts';

export const PROJECT = 'tattoo-rehearsal';

/** Not the default, so that a hard-coded region is found. */
export const REGION = 'europe-west1';

/** The parameter file of the project. */
export const PARAMETERS = `functions/.env.${PROJECT}`;

/** Starts a simulation in the state that OPERATIONS.md describes before the first deploy, but without a database. */
export async function startProject(): Promise<Cloud> {
  return startCloud({ projectId: PROJECT, region: REGION, services: await documentedServices() });
}

/** The services to enable according to OPERATIONS.md. */
async function documentedServices(): Promise<readonly string[]> {
  const text = await readFile('OPERATIONS.md', 'utf8');
  const [, command = ''] = /gcloud services enable ((?:.*\\\n)*.*)/.exec(text) ?? [];
  return command.match(/[a-z]+\.googleapis\.com/g) ?? [];
}

/** The parameters of the rehearsal: the defaults except for the region. */
export function parametersOf(example: string): string {
  return example.replace(/^REGION=.*$/m, `REGION=${REGION}`);
}

/** The numbers of changes in a project. */
export interface Progress {
  readonly functions: number;
  readonly archives: number;
  readonly files: number;
  readonly releases: number;
}

/** Counts the changes in each part of a project so far. */
export function progressOf({ functions, hosting }: Cloud): Progress {
  return {
    functions: functions.changes(),
    archives: functions.uploads.size,
    files: hosting.uploads(),
    releases: hosting.releases(),
  };
}

/** The deployed Cloud Run services: `europe-west1/flash-listbyartist`. */
export function servicesOf({ functions }: Cloud): string[] {
  return [...functions.functions.values()].map(({ serviceConfig }) =>
    [serviceConfig.service.split('/')[3], basename(serviceConfig.service)].join('/'),
  );
}
