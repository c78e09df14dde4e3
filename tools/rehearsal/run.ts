import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Longer than any command takes. A command that hangs is ended, and its status is null. */
const LIMIT_MS = 10 * 60_000;

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
  answers: Answers = {},
): Promise<CommandEnd> {
  const child = spawn(process.execPath, [script, ...args], { cwd: folder, env, timeout: LIMIT_MS });
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
