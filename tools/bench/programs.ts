import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { buildFunctions, FUNCTIONS } from '../../dev/functionsBuild.ts';
import { ROOT } from '../../dev/root.ts';

/** A folder that the Functions Framework can serve. */
export interface Program {
  readonly folder: string;
  /** The target to serve, if not the requested function. */
  readonly target?: string;
  /** The transport of the Admin SDK. */
  readonly transport?: 'REST' | 'gRPC';
}

/** All compared programs. */
export interface Programs {
  /** The service as deployed: packed, and installed separately. */
  readonly service: Program;
  /** The framework with a constant response, in a `.cjs` file as the service. */
  readonly bare: Program;
  /** A bare handler on the Admin SDK, over each of its transports. */
  readonly sdkRest: Program;
  readonly sdkGrpc: Program;
  /** A typical hand-written backend: the endpoints in one Express app, gRPC. */
  readonly express: Program;
  remove(): Promise<void>;
}

/** Builds and installs all programs. */
export async function makePrograms(): Promise<Programs> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const uploaded = join(folder, 'service');
  await pack(uploaded);
  // As Google builds a function package: the firebase CLI turns its scripts off.
  await promisify(execFile)('npm', ['ci', '--quiet', '--no-fund', '--no-audit'], {
    cwd: uploaded,
    env: { ...process.env, NODE_ENV: 'production' },
    shell: process.platform === 'win32',
  });
  // Not above the service, which must find its own packages only.
  const baselines = join(folder, 'baselines');
  await mkdir(baselines);
  await symlink(join(ROOT, 'node_modules'), join(baselines, 'node_modules'), 'dir');
  const bare = await compiled(baselines, 'constant');
  // The same copy of the framework as the service's.
  await symlink(join(uploaded, 'node_modules'), join(bare.folder, 'node_modules'), 'dir');
  const sdk = await compiled(baselines, 'sdk');
  return {
    service: { folder: uploaded },
    bare,
    sdkRest: { ...sdk, transport: 'REST' },
    sdkGrpc: { ...sdk, transport: 'gRPC' },
    express: await compiled(baselines, 'express'),
    remove: async () => rm(folder, { recursive: true }),
  };
}

/** A baseline, bundled with its packages as the service is. */
async function compiled(parent: string, name: string): Promise<Program> {
  const folder = join(parent, name);
  await build({
    absWorkingDir: ROOT,
    entryPoints: [`tools/bench/baselines/${name}.ts`],
    outfile: join(folder, 'index.cjs'),
    bundle: true,
    external: ['@google-cloud/functions-framework'],
    minifySyntax: true,
    minifyWhitespace: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    logLevel: 'warning',
  });
  await writeFile(join(folder, 'package.json'), '{"main":"index.cjs"}');
  return { folder, target: 'baseline' };
}

/** The module of the firebase CLI that lists the files to upload. */
interface FsAsync {
  readonly readdirRecursive: (options: {
    path: string;
    ignoreStrings: readonly string[];
  }) => Promise<readonly { readonly name: string }[]>;
}

/**
 * Builds a copy of the functions, not the one that a running service serves, and copies exactly the files that the
 * firebase CLI uploads.
 */
async function pack(folder: string): Promise<void> {
  const copy = await mkdtemp(join(tmpdir(), 'functions-'));
  const filter = (file: string) => !['node_modules', 'lib'].includes(basename(file));
  await cp(FUNCTIONS, copy, { recursive: true, filter });
  await buildFunctions(join(copy, 'lib'));
  const { functions } = JSON.parse(await readFile(join(ROOT, 'firebase.json'), 'utf8')) as {
    functions: readonly [{ ignore: readonly string[] }];
  };
  const cli = createRequire(join(ROOT, 'package.json'))('firebase-tools/lib/fsAsync') as FsAsync;
  const [{ ignore }] = functions;
  for (const { name } of await cli.readdirRecursive({ path: copy, ignoreStrings: ignore })) {
    const target = join(folder, relative(copy, name));
    await mkdir(dirname(target), { recursive: true });
    await copyFile(name, target);
  }
  await rm(copy, { recursive: true });
}
