/** Each function of the built bundle, served by its name as on the platform, is the one of index.ts. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFunctionsApart, type FunctionsBuild } from '../dev/functionsBuild.ts';
import { serveDeployed } from '../test/support/deployedFunction.ts';
import { deployedEndpoints } from './declared/deployMap.ts';
import { methodsOf } from './src/http/declaration.ts';

/** What Node writes of a process that ran with `NODE_V8_COVERAGE`. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

let build: FunctionsBuild;
let coverage: string;

beforeAll(async () => {
  build = await buildFunctionsApart();
});

afterAll(() => build.remove());

beforeEach(async () => {
  coverage = await mkdtemp(join(tmpdir(), 'coverage-'));
});

afterEach(() => rm(coverage, { recursive: true }));

test.each(deployedEndpoints)(
  '$functionId has its method and path, and declares no other endpoint',
  async ({ functionId, endpoint: { declaration } }) => {
    const served = await serveDeployed(functionId, { NODE_V8_COVERAGE: coverage }, build.folder);
    const path = declaration.path.replace(/\{\w+\}/, 'id');

    const response = await fetch(`${served.origin}${path}`, { method: 'PATCH' });
    await served.stop();

    expect(response.status).toBe(405);
    expect(response.headers.get('Allow')).toBe([...methodsOf(declaration), 'OPTIONS'].join(', '));
    expect(await callsOf('endpoint')).toBe(1);
  },
);

/** How often the served process has called the function of a name in the bundle. */
async function callsOf(name: string): Promise<number> {
  const [file = ''] = await readdir(coverage);
  const { result } = JSON.parse(await readFile(join(coverage, file), 'utf8')) as Coverage;
  return result
    .filter(({ url }) => url.endsWith('/functions.cjs'))
    .flatMap(({ functions }) => functions)
    .filter(({ functionName }) => functionName === name)
    .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
}
