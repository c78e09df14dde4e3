/**
 * `npm run check:project -- --project P`, before the first deploy to a project: what a deploy would adopt or replace
 * that is not ours. Only reads, with the Application Default Credentials. Exits with 1 if there is anything.
 */
import { PROJECT, readCommand, requireProject } from './commandLine.ts';
import { deployTo } from './deploy.ts';
import { googleCaller } from './googleApi.ts';
import { conflictsOf, readProject } from './project.ts';

const given = readCommand('npm run check:project -- --project P', { project: PROJECT });
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
