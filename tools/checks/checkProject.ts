/**
 * `npm run check:project -- --project P`: lists resources in the project that this repository does not own and a deploy would
 * overwrite. The Firebase CLI runs it with `--only TARGET` before it deploys that target. It only reads. It exits with 1 if
 * there is a conflict.
 */
import '../../dev/friendlyErrors.ts';
import { parseOptions } from '../../dev/commandLine.ts';
import { PROJECT_OPTION, requireProject } from './projectOption.ts';
import { CONFLICT_CHECKS } from './conflicts.ts';
import { readDeployTarget } from './deployTarget.ts';
import { readGoogle, signIn } from './googleApi.ts';

const options = parseOptions('npm run check:project -- --project P', {
  project: PROJECT_OPTION,
  only: { type: 'string', value: 'TARGET', help: 'functions, firestore or hosting' },
});
const checks = Object.entries(CONFLICT_CHECKS).filter(([name]) => name === (options.only ?? name));
if (checks.length === 0) throw new Error('--only takes functions, firestore or hosting.');

// The CLI names the project of the deploy in GCLOUD_PROJECT.
const project = await signIn(requireProject(options.project ?? process.env.GCLOUD_PROJECT));
const target = readDeployTarget(project);
const results = await Promise.all(checks.map(([, check]) => check(readGoogle, target)));
const conflicts = new Set(results.flat());
for (const conflict of conflicts) console.error(conflict);
if (conflicts.size > 0) {
  console.error('See docs/deploying.md, "Deploy into an existing project".');
  process.exitCode = 1;
} else {
  const deploy = options.only === undefined ? 'a deploy' : `a deploy of ${options.only}`;
  console.log(
    `OK: ${deploy} to ${project} would not overwrite anything that this repository does not own.`,
  );
}
