/** Installs the client as an app does: with npm, from Hosting, in an empty folder. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getTestStack } from './testStack.ts';

/** The folder of an app that has the client installed. */
export let app: string;

/** A program and its first arguments. */
export type Command = readonly [program: string, ...args: string[]];

/** Installs the client before the tests of a file or group, with npm, or with the npm that a command starts. */
export function useInstalledClient(npm: Command = ['npm']): void {
  beforeAll(async () => {
    app = await mkdtemp(join(tmpdir(), 'client-'));
    await writeFile(join(app, 'package.json'), '{ "private": true }');
    await run(...npm, ...(await readInstallArguments()), '--no-audit', '--no-fund');
  });
  afterAll(() => rm(app, { recursive: true }));
}

/** Reads the arguments of the documented npm command that installs the client, with the address of this stack. */
async function readInstallArguments(): Promise<string[]> {
  const { baseAddress: baseUrl } = getTestStack();
  const document = await fetch(new URL('/openapi.json', baseUrl));
  const { info } = (await document.json()) as { info: { description: string } };
  const [command = ''] = /(?<=npm )install .*client-\S+\.tgz/.exec(info.description) ?? [];
  return command.replace('https://PROJECT.web.app', new URL(baseUrl).origin).split(' ');
}

/** Runs a program in the app. If it fails, throws an error with its output. */
export async function run(command: string, ...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd: app })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${args.join(' ')} failed.\n${stdout}${stderr}`, { cause: error });
  }
}
