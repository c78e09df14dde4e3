import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../emulator/root.ts';
import type { Cloud } from '../cloud/cloud.ts';
import type { CliEnd } from '../firebaseCli.ts';

/** Runs a check of a project like an operator after `gcloud auth application-default login`. */
export async function runCheck(
  { environment, project }: Cloud,
  name: 'checkProject' | 'checkDeployed',
  folder = ROOT,
): Promise<CliEnd> {
  const credentials = `${environment.NODE_EXTRA_CA_CERTS ?? ''}.json`;
  const user = { client_id: 'id', client_secret: 'secret', refresh_token: 'token' };
  await writeFile(credentials, JSON.stringify({ type: 'authorized_user', ...user }));
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join('test/checks', `${name}.ts`), '--project', project.id],
      {
        cwd: folder,
        env: { ...process.env, ...environment, GOOGLE_APPLICATION_CREDENTIALS: credentials },
      },
    );
    return { status: 0, output: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { status: code, output: `${stdout}${stderr}` };
  } finally {
    await rm(credentials);
  }
}
