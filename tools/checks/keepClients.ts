/**
 * Copies the earlier packages of the client from the live site into the folder that Hosting deploys: lock files of apps contain
 * their addresses. The Firebase CLI runs it before it deploys Hosting.
 */
import '../../dev/friendlyErrors.ts';
import { join } from 'node:path';
import { ROOT } from '../../dev/root.ts';
import { requireProject } from './projectOption.ts';
import { readDeployTarget } from './deployTarget.ts';
import { copyEarlierClients } from './earlierClients.ts';
import { downloadPublicly, readGoogle, signIn } from './googleApi.ts';
import { readSite } from './resources.ts';

const project = await signIn(requireProject(process.env.GCLOUD_PROJECT));
const origin = `https://${await readSite(readGoogle, readDeployTarget(project))}.web.app`;
await copyEarlierClients(join(ROOT, '.hosting/deploy'), (name) =>
  downloadPublicly(origin, `/${name}`),
);
