/** public/requests.http: each of its requests is sent through Hosting, on the demo data. */
import { readFileSync } from 'node:fs';
import { deployedEndpoints } from '../support/deployMap.ts';
import { testStack } from '../support/stack.ts';

const text = readFileSync('public/requests.http', 'utf8');

/** The file for the test stack, which has other ports and another project in its tokens. */
function forTestStack(): string {
  const { baseAddress, projectId } = testStack();
  return text
    .replace('http://127.0.0.1:5000/api', baseAddress)
    .replace(/(?<=^@token = [\w-]+\.)[\w-]+/m, (payload) => {
      const claims = Buffer.from(payload, 'base64url').toString();
      return Buffer.from(claims.replaceAll('demo-tattoo', projectId)).toString('base64url');
    });
}

/** Reads the requests as an editor does: name, comments, method and URL, headers, an empty line, and the body. */
function requestsIn(file: string) {
  const [head = '', ...requests] = file.split(/^### /m);
  const variables = new Map(
    [...head.matchAll(/^@(\w+) = (\S+)$/gm)].map(([, name, value]) => [name, value]),
  );
  return requests.map((request) => {
    const filled = request.replace(
      /\{\{(\w+)\}\}/g,
      (_whole, name: string) => variables.get(name) ?? '',
    );
    const [name = '', ...lines] = filled.split('\n').filter((line) => !line.startsWith('#'));
    const [first = '', ...headers] = lines.slice(0, lines.indexOf(''));
    const [method = '', url = ''] = first.split(' ');
    const body = lines.slice(lines.indexOf('')).join('\n').trim();
    const pairs = headers.map((header) => header.split(': ') as [string, string]);
    return { name, url, init: { method, headers: pairs, ...(body && { body }) } };
  });
}

describe('public/requests.http', () => {
  test('has a request for every endpoint, named after its summary, that returns 200', async () => {
    const statuses: [string, number][] = [];
    for (const { name, url, init } of requestsIn(forTestStack())) {
      statuses.push([name, (await fetch(url, init)).status]);
    }

    expect(statuses.sort()).toEqual(
      deployedEndpoints.map(({ endpoint }) => [endpoint.declaration.summary, 200] as const).sort(),
    );
  });

  test('uses only syntax that all editors support: file variables, and no scripts', () => {
    const defined = [...text.matchAll(/^@(\w+) = \S+$/gm)].map(([, name]) => name);
    const used = [...text.matchAll(/\{\{(.*?)\}\}/g)].map(([, name]) => name);

    expect(new Set(used)).toEqual(new Set(defined));
    // A script of JetBrains or httpYac, or a name or setting of the REST Client or httpYac.
    expect(text).not.toMatch(/^(> |< |\{\{$|# ?@|\/\/ ?@|\?\?)/m);
  });

  test('has no password', () => {
    expect(text).not.toMatch(/password/i);
  });
});
