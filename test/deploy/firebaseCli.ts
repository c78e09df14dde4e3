import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Cloud } from './cloud/cloud.ts';
import type { Workspace } from './workspace.ts';

/** Longer than any command takes. A command that hangs is ended, and its status is null. */
const LIMIT_MS = 10 * 60_000;

export interface CliEnd {
  readonly status: number | null;
  /** The whole output, without colours. */
  readonly output: string;
}

/**
 * Runs the firebase CLI of node_modules in a copy of the project, like a CI job: `firebase(cloud, workspace,
 * ['deploy'])`. It uses no login or settings of this machine's user, and can only reach the simulation.
 */
export async function firebase(
  { environment, project }: Cloud,
  { folder }: Workspace,
  args: readonly string[],
): Promise<CliEnd> {
  const home = await mkdtemp(join(tmpdir(), 'home-'));
  try {
    const child = spawn(
      process.execPath,
      [
        join(folder, 'node_modules/firebase-tools/lib/bin/firebase.js'),
        ...args,
        ...['--project', project.id, '--non-interactive'],
      ],
      {
        cwd: folder,
        env: {
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
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: LIMIT_MS,
      },
    );
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [printed, complained, status] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      ended,
    ]);
    return { status, output: `${printed}${complained}` };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
