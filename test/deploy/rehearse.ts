/**
 * `npm run rehearse`: a whole deploy with the unmodified firebase CLI to a simulation of Google Cloud. The uploaded
 * source is then built and run like on the platform. Exits with 1 if anything is wrong.
 */
import { deployToExisting } from './rehearsal/existingProject.ts';
import { firstDeploy } from './rehearsal/firstDeploy.ts';
import { laterDeploys } from './rehearsal/laterDeploys.ts';
import { refusedDeploys } from './rehearsal/refusedDeploys.ts';
import { check, faults, step } from './rehearsal/report.ts';
import { deployOwnFunctions } from './rehearsal/ownFunctions.ts';
import { runUploaded } from './rehearsal/runUploaded.ts';
import { startProject } from './rehearsal/setting.ts';
import { copyProject } from './workspace.ts';

const workspace = await copyProject();
try {
  await refusedDeploys(workspace);
  const cloud = await startProject();
  try {
    await firstDeploy(cloud, workspace);
    await runUploaded(cloud);
    await laterDeploys(cloud, workspace);
    await deployOwnFunctions(cloud, workspace);
    check('the simulation knows all requests', cloud.unknown);
    const kinds = [...cloud.requestCounts.keys()];
    const hosts = new Set(kinds.map((kind) => kind.replace(/^\w+ ([^/]+).*$/, '$1')));
    const requests = [...cloud.requestCounts.values()].reduce((sum, count) => sum + count, 0);
    step(
      `The simulation has handled ${requests} requests of ${kinds.length} kinds to ${hosts.size} hosts.`,
    );
  } finally {
    await cloud.stop();
  }
  await deployToExisting(workspace);
} finally {
  await workspace.remove();
}
if (faults.length > 0) {
  console.error(`The rehearsal failed with ${faults.length} problems.`);
  process.exitCode = 1;
} else {
  step(
    'The rehearsal passed. It does not cover Google’s own build, routing, permissions and quotas.',
  );
}
