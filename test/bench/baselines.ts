import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packFunctions, type Packed } from '../deploy/packed.ts';
import { ROOT } from '../emulator/root.ts';
import { schemasAlone } from './baselines/schemasAlone.ts';

/** A folder that the Functions Framework can serve. */
export interface Program {
  readonly folder: string;
  /** The target to serve, if not the requested function. */
  readonly target?: string;
  /** The transport to Firestore. */
  readonly transport: 'REST' | 'gRPC';
}

/** All compared programs. */
export interface Programs {
  /** The service as deployed: packed, and installed separately. */
  readonly service: Program;
  /** The bare framework with a constant response, in a usual file `index.js`. */
  readonly bare: Program;
  /** The same in a `.cjs` file: the framework need not detect the module type. */
  readonly bareCjs: Program;
  /** A bare handler on the Admin SDK, over each of its transports. */
  readonly floorRest: Program;
  readonly floorGrpc: Program;
  /** A typical hand-written backend: all endpoints in one Express app, packages not bundled, gRPC. */
  readonly express: Program;
  /** A bare handler that copies Firestore's JSON. */
  readonly limit: Program;
  /** The limit that also parses and serializes that JSON. */
  readonly limitParsed: Program;
  /** The unpacked size of the upload, in bytes. */
  readonly uploadBytes: number;
  remove(): Promise<void>;
}

/** Builds and installs all programs. */
export async function makePrograms(): Promise<Programs> {
  const packed = await packFunctions();
  await installAsPlatform(packed.folder);
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  const floor = await compiled(folder, 'floor', 'cjs');
  return {
    service: { folder: packed.folder, transport: 'REST' },
    bare: await bare(folder, packed, 'js'),
    bareCjs: await bare(folder, packed, 'cjs'),
    floorRest: { ...floor, transport: 'REST' },
    floorGrpc: { ...floor, transport: 'gRPC' },
    express: { ...(await compiled(folder, 'express', 'cjs')), transport: 'gRPC' },
    limit: { ...(await compiled(folder, 'limit', 'cjs')), transport: 'REST' },
    limitParsed: { ...(await compiled(folder, 'limitParsed', 'cjs')), transport: 'REST' },
    uploadBytes: packed.bytes,
    remove: async () => {
      await packed.remove();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Google's build of a function package without scripts: the firebase CLI turns the scripts `build` and `gcp-build` off.
 */
export async function installAsPlatform(folder: string): Promise<void> {
  await promisify(execFile)('npm', ['ci', '--quiet', '--no-fund', '--no-audit'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production' },
    shell: process.platform === 'win32',
  });
}

/** A constant, served by the same copy of the framework as the service. */
async function bare(parent: string, packed: Packed, extension: 'js' | 'cjs'): Promise<Program> {
  const program = await compiled(parent, 'constant', extension);
  await symlink(join(packed.folder, 'node_modules'), join(program.folder, 'node_modules'), 'dir');
  return { ...program, transport: 'REST' };
}

/** A baseline in one file; packages are not bundled. */
async function compiled(
  parent: string,
  name: string,
  extension: 'js' | 'cjs',
): Promise<Omit<Program, 'transport'>> {
  const folder = join(parent, `${name}-${extension}`);
  await build({
    absWorkingDir: ROOT,
    entryPoints: [`test/bench/baselines/${name}.ts`],
    outfile: join(folder, `index.${extension}`),
    bundle: true,
    packages: 'external',
    plugins: [schemasAlone],
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    logLevel: 'warning',
  });
  await writeFile(join(folder, 'package.json'), `{"main":"index.${extension}"}`);
  return { folder, target: 'baseline' };
}
