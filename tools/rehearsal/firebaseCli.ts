import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cloud } from './cloud/cloud.ts';
import { runScript, type Answers, type CommandEnd } from './run.ts';
import type { Workspace } from './workspace.ts';

const CLI = 'node_modules/firebase-tools/lib/bin/firebase.js';

/**
 * Runs the firebase CLI of node_modules in a copy of the project: `firebase(cloud, workspace, ['deploy'])`, like a CI
 * job, or with answers, like a person at a terminal. It uses no login or settings of this machine's user, and can only
 * reach the simulation.
 */
export async function firebase(
  { environment, project }: Cloud,
  { folder }: Pick<Workspace, 'folder'>,
  args: readonly string[],
  answers?: Answers,
): Promise<CommandEnd> {
  const home = await mkdtemp(join(tmpdir(), 'home-'));
  const mode = answers === undefined ? '--non-interactive' : '--interactive';
  const env = {
    PATH: process.env.PATH,
    SystemRoot: process.env.SystemRoot,
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    CI: '1',
    NO_COLOR: '1',
    NO_UPDATE_NOTIFIER: '1',
    // The CLI asks npm for the newest version of the SDK, and continues without a response after 10 s.
    npm_config_offline: 'true',
    FIREBASE_TOKEN: 'refresh-token',
    METADATA_SERVER_DETECTION: 'none',
    ...environment,
  };
  try {
    return await runScript(folder, [CLI, ...args, '--project', project.id, mode], env, answers);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
