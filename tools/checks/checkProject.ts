/**
 * `npm run check:project -- --project P`, before the first deploy to a project: what a deploy would adopt, delete or
 * replace that is not ours. Only reads, with the Application Default Credentials. Exits with 1 if there is anything.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { requireProject } from './commandLine.ts';
import { googleCaller } from './googleApi.ts';
import { sourceFunctions } from './manifest.ts';
import { parameterValues } from './parameters.ts';
import { effectsOf, isConflict, readProject, type Deploy } from './project.ts';
import type { IndexFile } from './resources.ts';

interface FirebaseConfig {
  readonly functions: readonly [{ readonly codebase: string }];
  readonly firestore: { readonly rules: string; readonly indexes: string };
  readonly hosting: { readonly site?: string };
}

const { values: given } = parseArgs({ options: { project: { type: 'string' } } });
const project = requireProject(given.project);

const deploy = await deployTo(project);
const effects = effectsOf(deploy, await readProject(googleCaller(project), deploy));

console.log(
  `What a deploy of the codebase ${deploy.codebase} to ${project} does to what is there:\n`,
);
for (const { what, text } of effects) console.log(`  ${what.padEnd(9)} ${text}`);
const conflicts = effects.filter(isConflict);
if (conflicts.length === 0) {
  console.log('\nNothing of others is adopted, deleted or replaced.');
} else {
  console.error(
    `\n${conflicts.length} to settle first: docs/operating.md, "Into an existing project".`,
  );
  process.exitCode = 1;
}

/** What a deploy brings, from the files of this project. */
async function deployTo(projectId: string): Promise<Deploy> {
  const config = JSON.parse(readFileSync('firebase.json', 'utf8')) as FirebaseConfig;
  const { values } = parameterValues(projectId);
  return {
    project: projectId,
    codebase: config.functions[0].codebase,
    region: values.REGION ?? '',
    functionIds: (await sourceFunctions()).map(({ id }) => id),
    databaseId: values.DATABASE_ID ?? '(default)',
    rules: readFileSync(config.firestore.rules, 'utf8'),
    indexes: JSON.parse(readFileSync(config.firestore.indexes, 'utf8')) as IndexFile,
    site: config.hosting.site,
  };
}
