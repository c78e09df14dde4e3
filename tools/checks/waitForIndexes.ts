/**
 * `npm run wait:indexes -- --project P`: waits until no index of the database is being built. Run it after a deploy of new
 * indexes: a list returns 500 until its index is built. It exits with 1 if an index cannot be built.
 */
import '../../dev/friendlyErrors.ts';
import { setTimeout } from 'node:timers/promises';
import { parseOptions } from '../../dev/commandLine.ts';
import { PROJECT_OPTION, requireProject } from './projectOption.ts';
import { readDeployTarget } from './deployTarget.ts';
import { readGoogle, signIn } from './googleApi.ts';
import { describeBuild } from './indexBuild.ts';
import { readIndexes } from './resources.ts';

/** The time between two reads of the indexes, in ms. */
const INTERVAL_MS = 10_000;

const options = parseOptions('npm run wait:indexes -- --project P', { project: PROJECT_OPTION });
const project = await signIn(requireProject(options.project));
const target = readDeployTarget(project);

for (;;) {
  const status = describeBuild(await readIndexes(readGoogle, target));
  if (status === undefined) break;
  console.log(status);
  await setTimeout(INTERVAL_MS);
}
console.log(`OK: all indexes of ${target.databaseId} are built.`);
