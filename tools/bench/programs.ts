import { build } from 'esbuild';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Message } from '../../functions/src/conversations/message.ts';
import { FlashListing } from '../../functions/src/flash/flashListing.ts';
import { buildFunctions, FUNCTIONS } from '../../dev/functionsBuild.ts';
import { ROOT } from '../../dev/root.ts';
import { build as buildOnPlatform } from '../rehearsal/platform.ts';
import { WORLD } from './simulation.ts';

/** A folder that the Functions Framework can serve. */
export interface Program {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** All compared programs. */
export interface Programs {
  /** The service as deployed: its uploaded files, installed separately. */
  readonly service: Program;
  /** The framework with a constant response, in a `.cjs` file as the service. */
  readonly bare: Program;
  /** A bare handler on the Admin SDK, over each of its transports. */
  readonly sdkRest: Program;
  readonly sdkGrpc: Program;
  remove(): Promise<void>;
}

/** Builds and installs all programs. */
export async function makePrograms(): Promise<Programs> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const uploaded = join(folder, 'service');
  await buildFunctions(join(uploaded, 'lib'));
  for (const file of ['package.json', 'package-lock.json']) {
    await copyFile(join(FUNCTIONS, file), join(uploaded, file));
  }
  await buildOnPlatform(uploaded);
  // All have the same copy of the framework.
  await symlink(join(uploaded, 'node_modules'), join(folder, 'node_modules'), 'dir');
  const sdk = await bundled(folder, 'sdk');
  const env = {
    BENCH_OWNER: WORLD.uid,
    // The same fields as the service's.
    BENCH_FIELDS: Object.keys(FlashListing.omit({ id: true }).shape).join(),
    BENCH_MESSAGE_FIELDS: Object.keys(Message.omit({ id: true }).shape).join(),
  };
  return {
    service: { folder: uploaded },
    bare: await bundled(folder, 'constant'),
    sdkRest: { ...sdk, env: { ...env, FIRESTORE_PREFER_REST: 'true' } },
    sdkGrpc: { ...sdk, env },
    remove: async () => rm(folder, { recursive: true }),
  };
}

/** A baseline, bundled with its packages as the service is. */
async function bundled(parent: string, name: string): Promise<Program> {
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
  return { folder };
}
