/**
 * A client that a third-party generator makes from public/openapi.json: it compiles under strict rules, and can call the
 * service.
 */
import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { signedIn } from '../../support/accounts.ts';
import { storedListing } from '../../support/factories.ts';
import { freshId, stackStore } from '../../support/firestore.ts';
import { testStack } from '../../support/stack.ts';

const { baseAddress: baseUrl } = testStack();

const PROGRAM = `
  import createClient from 'openapi-fetch';
  import type { paths } from './generated';

  const headers = { Authorization: \`Bearer \${token}\` };
  const api = createClient<paths>({ baseUrl });
  const { data } = await api.GET('/flash/artist/{id}/paginated', {
    params: { path: { id: artistId }, query: { limit: 2 } },
  });
  const reordered = await api.PUT('/flash/reorder', { headers, body: { flashUpdates } });
  const refused = await api.PUT('/flash/reorder', { body: { flashUpdates } });
  console.log(JSON.stringify({
    ids: data?.flash.map(({ id }) => id),
    total: data?.total,
    success: reordered.data?.success,
    refusal: refused.error?.message,
  }));
`;

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

const store = stackStore();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'generated-client-'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['*.ts'] }),
  );
});

afterAll(() => rm(folder, { recursive: true }));

/** Runs a script in the project and returns its output; throws with all of it if it fails. */
async function node(...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(process.execPath, args, { cwd: folder })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${args.join(' ')} failed.\n${stdout}${stderr}`, { cause: error });
  }
}

test('a client of openapi-typescript and openapi-fetch compiles, reads, writes, and reports errors', async () => {
  const { uid: artistId, token } = await signedIn();
  const ids = [0, 1, 2].map(() => freshId('flash'));
  const listings = ids.map(
    (id, order) => [`flash/${id}`, storedListing({ artistId, order })] as const,
  );
  await store.setAll(listings);
  const flashUpdates = ids.map((id, index) => ({ id, order: 10 - index }));
  const constants = Object.entries({ baseUrl, token, artistId, flashUpdates }).map(
    ([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`,
  );

  await node(
    'node_modules/openapi-typescript/bin/cli.js',
    resolve('public/openapi.json'),
    '--output',
    'generated.ts',
  );
  await writeFile(join(folder, 'program.ts'), constants.join('') + PROGRAM);
  await node('node_modules/typescript/bin/tsc');
  await build({
    entryPoints: [join(folder, 'program.ts')],
    outfile: join(folder, 'program.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });

  expect(JSON.parse(await node('program.js'))).toEqual({
    ids: ids.slice(0, 2),
    total: 3,
    success: true,
    refusal: expect.stringMatching(/^Sign in first/) as unknown,
  });
  expect((await store.get(`flash/${ids[2] ?? ''}`))?.order).toBe(8);
});
