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
  /** What it serves, where that is not the function that is asked for. */
  readonly target?: string;
  /** How it reaches Firestore. */
  readonly transport: 'REST' | 'gRPC';
}

/** All that is measured side by side. */
export interface Programs {
  /** The service as it is deployed: packed, and installed alone. */
  readonly service: Program;
  /** The bare framework that answers a constant, in a file `index.js` as one writes it. */
  readonly bare: Program;
  /** The same in a file `.cjs`: the framework need not find out what kind of module it is. */
  readonly bareCjs: Program;
  /** A bare handler on the Admin SDK, by each of its transports. */
  readonly floorRest: Program;
  readonly floorGrpc: Program;
  /** What one would write by hand: all endpoints in one Express app, packages unbundled, gRPC. */
  readonly express: Program;
  /** A bare handler that copies JSON through. */
  readonly limit: Program;
  /** The size of what is uploaded, unpacked, in bytes. */
  readonly uploadBytes: number;
  remove(): Promise<void>;
}

/** Makes everything ready to run. */
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
    uploadBytes: packed.bytes,
    remove: async () => {
      await packed.remove();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * What Google's build does with a function's package, and no more: the firebase CLI turns the scripts `build` and
 * `gcp-build` off.
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

/** A baseline in one file; packages stay where they are. */
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
