/** Holds public/requests.http to the service: httpYac sends each of its requests to the demo data. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deployedEndpoints } from '../support/deployMap.ts';
import { testStack } from '../support/stack.ts';

const FILE = 'public/requests.http';

/** What httpYac prints of the requests that it has sent. */
interface Report {
  readonly requests: readonly {
    readonly name: string;
    readonly response: { readonly statusCode: number };
  }[];
}

/** Sends all requests of a file by httpYac, which reads what VS Code's REST Client and JetBrains' editors read. */
async function send(text: string): Promise<Report['requests']> {
  const { resolve } = createRequire(__filename);
  const httpyac = join(dirname(resolve('httpyac/package.json')), 'bin/httpyac.js');
  const folder = await mkdtemp(join(tmpdir(), 'requests-'));
  try {
    await writeFile(join(folder, 'requests.http'), text);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [httpyac, 'send', 'requests.http', '--all', '--json'],
      { cwd: folder },
    );
    return (JSON.parse(stdout) as Report).requests;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The file for the stack of the tests, which has other ports, and another project in its tokens. */
function forTestStack(text: string): string {
  const { baseAddress, projectId } = testStack();
  return text
    .replace('http://127.0.0.1:5000/api', baseAddress)
    .replace(/(?<=^@token = [\w-]+\.)[\w-]+/m, (payload) => {
      const claims = Buffer.from(payload, 'base64url').toString();
      return Buffer.from(claims.replaceAll('demo-tattoo', projectId)).toString('base64url');
    });
}

describe('public/requests.http', () => {
  test('is answered with 200 for every endpoint, by the name of its summary', async () => {
    const requests = await send(forTestStack(await readFile(FILE, 'utf8')));

    expect(
      requests.map(({ name, response }) => [name, response.statusCode] as const).sort(),
    ).toEqual(
      deployedEndpoints.map(({ endpoint }) => [endpoint.declaration.summary, 200] as const).sort(),
    );
  });

  test('uses only what all editors read alike: variables of the file, and no scripts', async () => {
    const text = await readFile(FILE, 'utf8');
    const defined = [...text.matchAll(/^@(\w+) = \S+$/gm)].map(([, name]) => name);
    const used = [...text.matchAll(/\{\{(.*?)\}\}/g)].map(([, name]) => name);

    expect(new Set(used)).toEqual(new Set(defined));
    // A script of JetBrains' or httpYac's, a name or another switch of the REST Client's or httpYac's.
    expect(text).not.toMatch(/^(> |< |\{\{$|# ?@|\/\/ ?@|\?\?)/m);
  });

  test('has no password, as it is deployed', async () => {
    expect(await readFile(FILE, 'utf8')).not.toMatch(/password/i);
  });
});
