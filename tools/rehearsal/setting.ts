import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { readProject, type Project } from '../checks/project.ts';
import { startCloud, type Cloud } from './cloud/cloud.ts';
import type { Workspace } from './workspace.ts';
import { check } from './report.ts';

export const PROJECT = 'tattoo-rehearsal';

/** Not the default, so that a hard-coded region is found. */
export const REGION = 'europe-west1';

/** The parameter file of the project. */
export const PARAMETERS = `functions/.env.${PROJECT}`;

/**
 * Does some steps of the rehearsal with a simulated project of their own, in the state that docs/operating.md describes
 * before the first deploy, but without a database.
 */
export async function inProject(
  workspace: Workspace,
  ...steps: readonly ((cloud: Cloud, workspace: Workspace) => Promise<void>)[]
): Promise<void> {
  const services = await documentedServices();
  const cloud = await startCloud({ projectId: PROJECT, region: REGION, services });
  try {
    for (const step of steps) await step(cloud, workspace);
    check('the simulation knows all requests', cloud.unknown);
  } finally {
    await cloud.stop();
  }
}

/** The services to enable according to docs/operating.md. */
export async function documentedServices(): Promise<readonly string[]> {
  const text = await readFile('docs/operating.md', 'utf8');
  const [, command = ''] = /gcloud services enable ((?:.*\\\n)*.*)/.exec(text) ?? [];
  return command.match(/[a-z]+\.googleapis\.com/g) ?? [];
}

/** The parameters of the rehearsal: the defaults except for the region. */
export function parametersOf(example: string): string {
  return example.replace(/^REGION=.*$/m, `REGION=${REGION}`);
}

/** The database of the project. */
export const DATABASE = `projects/${PROJECT}/databases/(default)`;

/** Creates the database, like the operator of a project before its first deploy. */
export function createDatabase({ resources }: Cloud): void {
  const type = { type: 'FIRESTORE_NATIVE', databaseEdition: 'STANDARD' };
  resources.put(DATABASE, { locationId: REGION, ...type });
}

/** What `npm run check:project` reads of a project. */
export async function projectIn({ read }: Cloud): Promise<Project> {
  return readProject(read, { project: PROJECT, databaseId: '(default)', site: PROJECT });
}

/** The Cloud Run services of functions: `europe-west1/flash-listbyartist`. */
export function servicesOf({ functions }: Project): string[] {
  return functions
    .map(({ serviceConfig: { service } }) => `${service.split('/')[3] ?? ''}/${basename(service)}`)
    .sort();
}

/** The Cloud Run services to which the rewrites of Hosting lead, each once. */
export function rewriteTargets({ release }: Project): string[] {
  const { rewrites = [] } = release?.version?.config ?? {};
  const targets = rewrites.map(({ glob, run }) => (run ? `${run.region}/${run.serviceId}` : glob));
  return [...new Set(targets)].sort();
}

/** How much of each kind has been changed in a project so far. */
export function progressOf({ resources, archives, contents }: Cloud) {
  return {
    functions: resources.list(`projects/${PROJECT}/locations/-/operations/-`).length,
    archives: archives.size,
    files: contents.size,
    releases: resources.list('sites/-/channels/live/releases/-').length,
  };
}
