/**
 * `npm run rehearse`: a whole deploy, by the unchanged firebase CLI, to a stand-in for Google. What was uploaded is then
 * built as the platform builds it, and run as the platform runs it. Ends with 1 where anything is not as it should be.
 */
import { firstDeploy } from './rehearsal/firstDeploy.ts';
import { laterDeploys } from './rehearsal/laterDeploys.ts';
import { refusedDeploys } from './rehearsal/refusedDeploys.ts';
import { check, faults, step } from './rehearsal/report.ts';
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
    check('the stand-in knew every request', cloud.unknown);
    const kinds = [...cloud.answered.keys()];
    const hosts = new Set(kinds.map((kind) => kind.replace(/^\w+ ([^/]+).*$/, '$1')));
    const requests = [...cloud.answered.values()].reduce((sum, count) => sum + count, 0);
    step(
      `The stand-in has answered ${requests} requests of ${kinds.length} kinds to ${hosts.size} hosts.`,
    );
  } finally {
    await cloud.stop();
  }
} finally {
  await workspace.remove();
}
if (faults.length > 0) {
  console.error(`The rehearsal failed: ${faults.length} things are wrong.`);
  process.exitCode = 1;
} else {
  step(
    'The rehearsal passed. It cannot show: Google’s own build, routing, permissions and quotas.',
  );
}
