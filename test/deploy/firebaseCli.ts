import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cloud } from './cloud/cloud.ts';
import type { Workspace } from './workspace.ts';

/** Longer than any command takes. A command that hangs is ended, and its status is null. */
const LIMIT_MS = 10 * 60_000;

export interface CliEnd {
  readonly status: number | null;
  /** The whole output, without colours. */
  readonly output: string;
}

/** What a person at a terminal answers to a question of the CLI, by its text: nothing accepts the default. */
export type Answers = Readonly<Record<string, string>>;

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
): Promise<CliEnd> {
  const home = await mkdtemp(join(tmpdir(), 'home-'));
  try {
    const child = spawn(
      process.execPath,
      [
        join(folder, 'node_modules/firebase-tools/lib/bin/firebase.js'),
        ...args,
        ...['--project', project.id],
        answers === undefined ? '--non-interactive' : '--interactive',
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
        stdio: ['pipe', 'pipe', 'pipe'],
        timeout: LIMIT_MS,
      },
    );
    let output = '';
    const open = new Map(Object.entries(answers ?? {}));
    const onData = (chunk: Buffer) => {
      output += chunk.toString();
      for (const [question, reply] of open) {
        if (!output.includes(question)) continue;
        open.delete(question);
        child.stdin.write(`${reply}\n`);
      }
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, output };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
