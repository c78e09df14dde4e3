/** The commands that people run: the firebase CLI, the checks of a project, and others. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../dev/root.ts';
import type { FakeCloud } from './fakeCloud/fakeCloud.ts';

const CLI = join(ROOT, 'node_modules/firebase-tools/lib/bin/firebase.js');

/** Longer than a command takes that does not say so. A command that hangs is ended, and its status is null. */
const LIMIT_MS = 5 * 60_000;

/** How a command has ended. */
export interface CommandEnd {
  readonly status: number | null;
  /** The whole output. */
  readonly output: string;
}

/** What a person at a terminal answers to a question, by its text: nothing accepts the default. */
export type Answers = Readonly<Record<string, string>>;

/** Runs a script with Node in a folder, with this environment only. */
export async function runScript(
  folder: string,
  [script = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  { answers = {}, limitMs = LIMIT_MS }: { answers?: Answers | undefined; limitMs?: number } = {},
): Promise<CommandEnd> {
  const child = spawn(process.execPath, [script, ...args], { cwd: folder, env, timeout: limitMs });
  let output = '';
  const open = new Map(Object.entries(answers));
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
}

/**
 * Runs the firebase CLI of node_modules in a folder: `['deploy']`, like a CI job, or with answers, like a person at a
 * terminal. It uses no login or settings of this machine's user, and can only reach the simulation.
 */
export async function firebase(
  cloud: FakeCloud,
  folder: string,
  args: readonly string[],
  answers?: Answers,
): Promise<CommandEnd> {
  const mode = answers === undefined ? '--non-interactive' : '--interactive';
  const env = await asDeployer(cloud, folder);
  const script = [CLI, ...args, '--project', cloud.project.id, mode];
  return runScript(folder, script, env, { answers });
}

/** The environment of a command that is signed in to the simulation like the firebase CLI. */
export async function asDeployer(
  { environment }: FakeCloud,
  folder: string,
): Promise<NodeJS.ProcessEnv> {
  const home = join(folder, '.home');
  await mkdir(home, { recursive: true });
  return {
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
}
