import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The time limit of a generator, the compiler or a program, in ms. */
const TIMEOUT = 3 * 60_000;

const COMPILER_OPTIONS = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
};

/** An app in a temporary folder that uses the packages of this repository. */
export interface Project {
  readonly folder: string;
  /** Runs a script of a package, by its path below `node_modules`. */
  readonly run: (script: string, ...args: string[]) => Promise<string>;
  /** Compiles a program and the generated code under strict rules, runs it, and returns its output. */
  readonly compileAndRun: (program: string) => Promise<string>;
}

/** Creates a project for `use`, and removes it afterwards. */
export async function inProject<Result>(use: (project: Project) => Promise<Result>) {
  const folder = await mkdtemp(join(tmpdir(), 'generated-client-'));
  const node = async (...args: string[]) => {
    try {
      return (await promisify(execFile)(process.execPath, args, { cwd: folder, timeout: TIMEOUT }))
        .stdout;
    } catch (error) {
      // The reason is in the output; the compiler's errors are in its standard output.
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${args.join(' ')} failed.\n${stdout}${stderr}`, { cause: error });
    }
  };
  const run = (script: string, ...args: string[]) => node(join('node_modules', script), ...args);

  try {
    await symlink(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['program.ts', 'generated'] }),
    );
    return await use({
      folder,
      run,
      async compileAndRun(program) {
        await writeFile(join(folder, 'program.ts'), program);
        await run('typescript/bin/tsc');
        await build({
          entryPoints: [join(folder, 'program.ts')],
          outfile: join(folder, 'program.js'),
          bundle: true,
          platform: 'node',
          format: 'esm',
          logLevel: 'silent',
        });
        return node('program.js');
      },
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
