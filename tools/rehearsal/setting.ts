import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { liveVersion } from './cloud/apis.ts';
import { startCloud, type Cloud } from './cloud/cloud.ts';
import type { Resource } from './cloud/resources.ts';
import type { CloudFunction } from '../checks/resources.ts';
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

/** The functions of the project. */
const FUNCTIONS_NAME = `projects/${PROJECT}/locations/-/functions/-`;

/** Creates the database, like the operator of a project before its first deploy. */
export function createDatabase({ resources }: Cloud): void {
  const type = { type: 'FIRESTORE_NATIVE', databaseEdition: 'STANDARD' };
  resources.put(DATABASE, { locationId: REGION, ...type });
}

/** The deployed functions. */
export function functionsOf({ resources }: Cloud): readonly CloudFunction[] {
  return resources.list(FUNCTIONS_NAME) as readonly (Resource & CloudFunction)[];
}

/** The deployed Cloud Run services: `europe-west1/flash-listbyartist`. */
export function servicesOf(cloud: Cloud): string[] {
  return functionsOf(cloud)
    .map(({ serviceConfig: { service } }) => `${service.split('/')[3] ?? ''}/${basename(service)}`)
    .sort();
}

/** The Cloud Run services to which the rewrites of Hosting lead, each once. */
export function rewriteTargets({ resources }: Cloud): string[] {
  const { rewrites = [] } = liveVersion(resources, PROJECT)?.config ?? {};
  const targets = rewrites.map(({ glob, run }) => (run ? `${run.region}/${run.serviceId}` : glob));
  return [...new Set(targets)].sort();
}

/** The indexes and single-field settings of the database. */
export function indexResources({ resources }: Cloud): readonly Resource[] {
  return ['indexes', 'fields'].flatMap((kind) =>
    resources.list(`${DATABASE}/collectionGroups/-/${kind}/-`),
  );
}

/** The text of the rules that are in force; empty if there are none. */
export function rulesOf({ resources }: Cloud): string {
  const releases = resources.list(`projects/${PROJECT}/releases/cloud.firestore`);
  const [release] = releases as readonly (Resource & { readonly rulesetName: string })[];
  if (release === undefined) return '';
  const { source } = resources.get(release.rulesetName) as Resource & {
    readonly source: { readonly files: readonly { readonly content: string }[] };
  };
  return source.files.map(({ content }) => content).join();
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
