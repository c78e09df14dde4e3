/** Runs commands in a copy of the repository: the Firebase CLI, the checks of a project, and others. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../dev/root.ts';
import type { FakeCloud } from '../support/google/cloud/fakeCloud.ts';

const CLI = join(ROOT, 'node_modules/firebase-tools/lib/bin/firebase.js');

/** The default timeout of a command, longer than most need. A command that exceeds its timeout is killed, and its status is null. */
const COMMAND_TIMEOUT_MS = 5 * 60_000;

/** The result of a command. */
export interface CommandResult {
  readonly status: number | null;
  /** The standard output and the error output. */
  readonly output: string;
}

/** The answers of a person at a terminal, by the text of the question. An empty answer accepts the default. */
export type Answers = Readonly<Record<string, string>>;

/** Runs a script with Node in a folder, with this environment only. */
export async function runScript(
  folder: string,
  [script = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  {
    answers = {},
    timeoutMs = COMMAND_TIMEOUT_MS,
  }: { answers?: Answers | undefined; timeoutMs?: number } = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: folder,
    env,
    timeout: timeoutMs,
  });
  let output = '';
  const openQuestions = new Map(Object.entries(answers));
  const onData = (chunk: Buffer) => {
    output += chunk.toString();
    for (const [question, answer] of openQuestions) {
      if (!output.includes(question)) continue;
      openQuestions.delete(question);
      child.stdin.write(`${answer}\n`);
    }
  };
  child.stdout.on('data', onData);
  child.stderr.on('data', onData);
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output };
}

/**
 * Runs the Firebase CLI of node_modules in a folder: like a CI job, or with `answers`, like a person at a terminal. It does
 * not use the login and the settings of this machine's user, and it can only reach the fake cloud.
 */
export async function runFirebase(
  cloud: FakeCloud,
  folder: string,
  args: readonly string[],
  answers?: Answers,
): Promise<CommandResult> {
  const mode = answers === undefined ? '--non-interactive' : '--interactive';
  const env = await createDeployerEnv(cloud, folder);
  const script = [CLI, ...args, '--project', cloud.project.id, mode];
  return runScript(folder, script, env, { answers });
}

/** Creates the environment of a command that is signed in to the fake cloud. */
export async function createDeployerEnv(
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
