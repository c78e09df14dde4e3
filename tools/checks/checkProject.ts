/**
 * `npm run check:project -- --project P`: what in the project is of others and would be replaced by a deploy. With
 * `--only TARGET` the CLI runs it before it deploys that target. Only reads. Exits with 1 if there is anything to settle.
 */
import '../friendlyErrors.ts';
import { parseOptions } from '../../dev/commandLine.ts';
import { PROJECT, requireProject } from './commandLine.ts';
import { readDeployTarget } from './deployTarget.ts';
import { readGoogle, signIn } from './googleApi.ts';
import { CONFLICTS } from './project.ts';

const given = parseOptions('npm run check:project -- --project P', {
  project: PROJECT,
  only: { type: 'string', value: 'TARGET', help: 'functions, firestore or hosting' },
});
const targets = Object.entries(CONFLICTS).filter(([name]) => name === (given.only ?? name));
if (targets.length === 0) throw new Error('--only takes functions, firestore or hosting.');

// The CLI names the project of the deploy in the environment.
const project = await signIn(requireProject(given.project ?? process.env.GCLOUD_PROJECT));
const deploy = readDeployTarget(project);
const found = await Promise.all(targets.map(([, check]) => check(readGoogle, deploy)));
const conflicts = new Set(found.flat());
for (const conflict of conflicts) console.error(conflict);
if (conflicts.size > 0) {
  console.error('docs/deploying.md, "Deploy into an existing project", says more.');
  process.exitCode = 1;
} else {
  console.log(`In ${project} ${given.only ?? 'a deploy'} replaces nothing of others.`);
}
