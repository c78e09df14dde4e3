import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { startCloud, type Cloud } from '../cloud/cloud.ts';

export const PROJECT = 'tattoo-rehearsal';

/** Not the default: wherever the region is written down a second time, it is wrong. */
export const REGION = 'europe-west1';

/** The file with the parameters of the project. */
export const PARAMETERS = `functions/.env.${PROJECT}`;

/** Starts a stand-in in the state that OPERATIONS.md leads to before the first deploy, but for the database. */
export async function startProject(): Promise<Cloud> {
  return startCloud({ projectId: PROJECT, region: REGION, services: await documentedServices() });
}

/** The services that OPERATIONS.md says to switch on. */
async function documentedServices(): Promise<readonly string[]> {
  const text = await readFile('OPERATIONS.md', 'utf8');
  const [, command = ''] = /gcloud services enable ((?:.*\\\n)*.*)/.exec(text) ?? [];
  return command.match(/[a-z]+\.googleapis\.com/g) ?? [];
}

/** The parameters of the rehearsal: the defaults, but for the region. */
export function parametersOf(example: string): string {
  return example.replace(/^REGION=.*$/m, `REGION=${REGION}`);
}

/** What a deploy changes in a project, in numbers. */
export interface Progress {
  readonly functions: number;
  readonly archives: number;
  readonly files: number;
  readonly releases: number;
}

/** How often each part of a project was changed so far. */
export function progressOf({ functions, hosting }: Cloud): Progress {
  return {
    functions: functions.changes(),
    archives: functions.uploads.size,
    files: hosting.uploads(),
    releases: hosting.releases(),
  };
}

/** The services of Cloud Run that were deployed: `europe-west1/flash-listbyartist`. */
export function servicesOf({ functions }: Cloud): string[] {
  return [...functions.functions.values()].map(({ serviceConfig }) =>
    [serviceConfig.service.split('/')[3], basename(serviceConfig.service)].join('/'),
  );
}
