import { build } from 'esbuild';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFunctionsApart } from '../../dev/functionsBuild.ts';

/** Folders that the Functions Framework can serve: the service as built for a deploy, and the baselines below it. */
export async function buildPrograms() {
  const { folder, remove } = await buildFunctionsApart();
  return {
    service: folder,
    sdk: await bundle('sdk', join(folder, 'sdk')),
    bare: await bundle('bare', join(folder, 'bare')),
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
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    external: ['@google-cloud/functions-framework'],
    logLevel: 'warning',
  });
  await writeFile(join(folder, 'package.json'), '{"main":"index.cjs"}');
  return folder;
}
