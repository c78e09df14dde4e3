/** Checks public/requests.http: httpYac sends each of its requests to the demo data. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deployedEndpoints } from '../support/deployMap.ts';
import { testStack } from '../support/stack.ts';

const FILE = 'public/requests.http';

/** The part of httpYac's output that the tests use. */
interface Report {
  readonly requests: readonly {
    readonly name: string;
    readonly response: { readonly statusCode: number };
  }[];
}

/**
 * Sends all requests of a file with httpYac, which supports the syntax of VS Code's REST Client and JetBrains' editors.
 */
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

/** The file for the test stack, which has other ports and another project in its tokens. */
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
  test('has a request for every endpoint, named after its summary, that returns 200', async () => {
    const requests = await send(forTestStack(await readFile(FILE, 'utf8')));

    expect(
      requests.map(({ name, response }) => [name, response.statusCode] as const).sort(),
    ).toEqual(
      deployedEndpoints.map(({ endpoint }) => [endpoint.declaration.summary, 200] as const).sort(),
    );
  });

  test('uses only syntax that all editors support: file variables, and no scripts', async () => {
    const text = await readFile(FILE, 'utf8');
    const defined = [...text.matchAll(/^@(\w+) = \S+$/gm)].map(([, name]) => name);
    const used = [...text.matchAll(/\{\{(.*?)\}\}/g)].map(([, name]) => name);

    expect(new Set(used)).toEqual(new Set(defined));
    // A script of JetBrains or httpYac, or a name or setting of the REST Client or httpYac.
    expect(text).not.toMatch(/^(> |< |\{\{$|# ?@|\/\/ ?@|\?\?)/m);
  });

  test('has no password in its deployed form', async () => {
    expect(await readFile(FILE, 'utf8')).not.toMatch(/password/i);
  });
});
