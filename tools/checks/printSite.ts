/** `node tools/checks/printSite.ts --project P`: prints the id of the Hosting site to which this repository deploys. */
import '../../dev/friendlyErrors.ts';
import { parseOptions } from '../../dev/commandLine.ts';
import { PROJECT_OPTION, requireProject } from './projectOption.ts';
import { readDeployTarget } from './deployTarget.ts';
import { readGoogle, signIn } from './googleApi.ts';
import { readSite } from './resources.ts';

const options = parseOptions('node tools/checks/printSite.ts --project P', {
  project: PROJECT_OPTION,
});
const project = await signIn(requireProject(options.project));
console.log(await readSite(readGoogle, readDeployTarget(project)));
