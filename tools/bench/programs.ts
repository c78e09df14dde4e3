import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildFunctionsToTempFolder } from '../../dev/functionsBuild.ts';

/** A program to measure: a folder that the Functions Framework serves, and the environment variables that select a variant. */
export interface Program {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Builds the service as for a deploy, and the baselines in folders below it. */
export async function buildPrograms() {
  const { folder, remove } = await buildFunctionsToTempFolder();
  const sdk = await bundle('sdk', join(folder, 'sdk'));
  return {
    service: { folder, env: {} },
    sdkRest: { folder: sdk, env: { BENCH_TRANSPORT: 'rest' } },
    sdkGrpc: { folder: sdk, env: { BENCH_TRANSPORT: 'grpc' } },
    bare: { folder: await bundle('bare', join(folder, 'bare')), env: {} },
    remove,
  };
}

/** Bundles a baseline with its packages, like the service. */
async function bundle(name: string, folder: string): Promise<string> {
  await build({
    entryPoints: [join(import.meta.dirname, `baselines/${name}.ts`)],
    outfile: join(folder, 'index.cjs'),
    bundle: true,
    minify: true,
    // proto3-json-serializer, of the SDK over REST, compares names of constructors.
    keepNames: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    external: ['@google-cloud/functions-framework'],
    logLevel: 'warning',
  });
  await writeFile(join(folder, 'package.json'), '{"main":"index.cjs"}');
  return folder;
}
