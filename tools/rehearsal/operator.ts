import { rm, writeFile } from 'node:fs/promises';
import { ROOT } from '../../dev/root.ts';
import type { Cloud } from './cloud/cloud.ts';
import { runScript, type CommandEnd } from './run.ts';

/** Runs a check of a project like an operator after `gcloud auth application-default login`. */
export async function runCheck(
  { environment, project }: Cloud,
  name: 'checkProject' | 'checkDeployed',
  folder = ROOT,
): Promise<CommandEnd> {
  const credentials = `${environment.NODE_EXTRA_CA_CERTS ?? ''}.json`;
  const user = { client_id: 'id', client_secret: 'secret', refresh_token: 'token' };
  await writeFile(credentials, JSON.stringify({ type: 'authorized_user', ...user }));
  const env = { ...process.env, ...environment, GOOGLE_APPLICATION_CREDENTIALS: credentials };
  try {
    return await runScript(folder, [`tools/checks/${name}.ts`, '--project', project.id], env);
  } finally {
    await rm(credentials);
  }
}
