import { build, type Plugin } from 'esbuild';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../emulator/stack.ts';
import { installPacked, packFunctions } from '../deploy/packed.ts';

/** The one that the functions use: other packages have others of that name. */
const LRU_CACHE = join(ROOT, 'functions/node_modules/lru-cache');

/** A folder that the Functions Framework can serve. */
export interface Contender {
  readonly folder: string;
  /** What it serves, where that is not the function that is asked for. */
  readonly target?: string;
}

/** All that is measured side by side. */
export interface Contenders {
  /** The deployed service: packed, installed alone, with V8's code of it. */
  readonly service: Contender;
  /** The bare framework that answers a constant, in a file `index.js` as one writes it. */
  readonly constant: Contender;
  /** The same in a file `.cjs`, which spares the framework the search for what kind of module it is. */
  readonly sparedConstant: Contender;
  /** The same endpoints the usual way: plain compiler output, all modules, gRPC. */
  readonly usual: Contender;
  /** The same calls of Firestore and the same JSON, and nothing else. */
  readonly floor: Contender;
  /** What one would write by hand. */
  readonly express: Contender;
  /** The size of what is uploaded, in bytes. */
  readonly uploadBytes: number;
  remove(): Promise<void>;
}

/** Makes all contenders ready to run, in a folder of their own. */
export async function makeContenders(): Promise<Contenders> {
  const packed = await packFunctions();
  await installPacked(packed);
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  const constant = await compiled(folder, 'constant', 'js');
  const sparedConstant = await compiled(folder, 'constant', 'cjs');
  const floor = await compiled(folder, 'floor', 'cjs');
  const express = await compiled(folder, 'express', 'cjs');
  return {
    service: { folder: packed.folder },
    constant,
    sparedConstant,
    floor,
    express,
    usual: await usualWay(folder),
    uploadBytes: packed.bytes,
    remove: async () => {
      await packed.remove();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * The Express app takes the schemas of the service, and parses bodies itself: not what the service makes of a request
 * before that.
 */
const withoutArrival: Plugin = {
  name: 'without-arrival',
  setup(builder) {
    builder.onLoad({ filter: /http\/arrival\.ts$/ }, () => ({
      contents: 'export const arrivalOf = undefined;',
    }));
  },
};

/** A contender of one file; packages stay where they are. */
async function compiled(parent: string, name: string, extension: 'js' | 'cjs'): Promise<Contender> {
  const folder = join(parent, `${name}-${extension}`);
  await build({
    absWorkingDir: ROOT,
    entryPoints: [`test/bench/contenders/${name}.ts`],
    outfile: join(folder, `index.${extension}`),
    bundle: true,
    packages: 'external',
    alias: { 'lru-cache': LRU_CACHE },
    plugins: [withoutArrival],
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    logLevel: 'warning',
  });
  await writeFile(join(folder, 'package.json'), `{"main":"index.${extension}"}`);
  return { folder, target: 'contender' };
}

/** The service's own source, file by file as the compiler writes it, with the transport that is the SDK's default. */
async function usualWay(parent: string): Promise<Contender> {
  const folder = join(parent, 'usual');
  const source = join(ROOT, 'functions/src');
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const text = (await readFile(file, 'utf8'))
      .replace("'lru-cache'", JSON.stringify(LRU_CACHE))
      .replace(/const preferRest = .*;/, 'const preferRest = false;');
    const { outputText } = ts.transpileModule(text.replace(/\.ts';/g, ".js';"), {
      compilerOptions: {
        module: ts.ModuleKind.CommonJS,
        target: ts.ScriptTarget.ES2024,
        esModuleInterop: true,
      },
    });
    const target = join(folder, relative(source, file).replace(/\.ts$/, '.js'));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, outputText);
  }
  await writeFile(join(folder, 'package.json'), '{"main":"index.js"}');
  return { folder };
}
