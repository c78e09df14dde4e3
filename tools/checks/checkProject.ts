/**
 * `npm run check:project -- --project P`, before the first deploy to a project: what a deploy would adopt or replace
 * that is not ours. Only reads, with the Application Default Credentials. Exits with 1 if there is anything.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { requireProject } from './commandLine.ts';
import { googleCaller } from './googleApi.ts';
import { sourceFunctions } from './manifest.ts';
import { declaredParameters, parameterValues } from './parameters.ts';
import { conflictsOf, readProject, type Deploy } from './project.ts';
import type { Rewrite } from './resources.ts';

interface FirebaseConfig {
  readonly functions: readonly [{ readonly codebase: string }];
  readonly firestore: { readonly rules: string };
  readonly hosting: { readonly site?: string; readonly rewrites: readonly Rewrite[] };
}

const { values: given } = parseArgs({ options: { project: { type: 'string' } } });
const project = requireProject(given.project);

const deploy = await deployTo(project);
const found = await readProject(googleCaller(project), deploy);
const conflicts = conflictsOf(deploy, found);

console.log(
  `Database: ${found.databaseLocation ?? 'none'}. Functions: ${deploy.region}, as the codebase ${deploy.codebase}.`,
);
if (conflicts.length === 0) {
  console.log('A deploy adopts or replaces nothing of others.');
} else {
  for (const conflict of conflicts) console.error(conflict);
  console.error(
    `${conflicts.length} to settle before a deploy: docs/operating.md, "Into an existing project".`,
  );
  process.exitCode = 1;
}

/** What a deploy brings, from the files of this project. */
async function deployTo(projectId: string): Promise<Deploy> {
  const config = JSON.parse(readFileSync('firebase.json', 'utf8')) as FirebaseConfig;
  const { values } = parameterValues(projectId);
  const region = declaredParameters().find(({ name }) => name === 'REGION');
  return {
    project: projectId,
    codebase: config.functions[0].codebase,
    region: values.REGION ?? String(region?.default),
    functionIds: (await sourceFunctions()).map(({ id }) => id),
    databaseId: values.DATABASE_ID ?? '(default)',
    rules: readFileSync(config.firestore.rules, 'utf8'),
    site: config.hosting.site,
    rewrites: config.hosting.rewrites,
  };
}
