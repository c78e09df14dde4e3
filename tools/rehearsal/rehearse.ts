/**
 * `npm run rehearse`: a whole deploy with the unmodified firebase CLI to a simulation of Google Cloud. The uploaded
 * source is then built and run like on the platform. Exits with 1 if anything is wrong.
 */
import { deployToExisting } from './existingProject.ts';
import { firstDeploy } from './firstDeploy.ts';
import { laterDeploys } from './laterDeploys.ts';
import { deployOwnFunctions } from './ownFunctions.ts';
import { refusedDeploys } from './refusedDeploys.ts';
import { faults, step } from './report.ts';
import { runUploaded } from './runUploaded.ts';
import { inProject } from './setting.ts';
import { copyProject } from './workspace.ts';

const workspace = await copyProject();
try {
  await inProject(workspace, refusedDeploys);
  await inProject(workspace, firstDeploy, runUploaded, laterDeploys, deployOwnFunctions);
  await inProject(workspace, deployToExisting);
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
