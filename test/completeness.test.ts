/**
 * Checks that every endpoint has all its parts: names each missing one and its file. If this test fails, fix it first,
 * because other tests may fail for the same reason.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { COLLECTIONS } from './data/collections.ts';
import { deployedEndpoints, type DeployedEndpoint } from './support/deployMap.ts';

interface Rewrite {
  readonly source: string;
  /** Without a region, the CLI uses the one of the function. */
  readonly function: { readonly functionId: string };
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>>;
}

function json(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

const { hosting } = json('firebase.json') as { hosting: { rewrites: readonly Rewrite[] } };
const { paths } = json('public/openapi.json') as OpenApi;
const CONTRACT = 'test/service/contract/contract.ts';
const contract = readFileSync(CONTRACT, 'utf8');
const readme = readFileSync('README.md', 'utf8').replace(/ +/g, ' ');

/**
 * From its first parameter on, the rewrite leaves the path to the function, because Hosting's `*` does not match an
 * encoded slash.
 */
function sourceOf(path: string): string {
  return `/api${path.replace(/\{.*$/, '**')}`;
}

/** What DATA.md says of the writes of this service. */
const written = COLLECTIONS.flatMap(({ written: fields, service }) => [
  ...Object.values(fields),
  service,
]).join();

/** The missing parts of an endpoint, as sentences. */
function lackingOf({ group, name, functionId, operationId, endpoint }: DeployedEndpoint): string[] {
  const { method, path, example } = endpoint.declaration;
  const source = sourceOf(path);
  const file = `functions/src/${group}/${name}.ts`;
  const test = `test/${group}/${name}.test.ts`;
  const rewritten = hosting.rewrites.find((rewrite) => rewrite.source === source);
  const documented = paths[path]?.[method.toLowerCase()];
  const row = `| \`${method} ${path}\` |`;
  return [
    ...(existsSync(file) ? [] : [`${file} is missing: the deploy map has ${functionId}.`]),
    ...(example ? [] : [`${file} lacks an example in its declaration.`]),
    ...(existsSync(test) || contract.includes(`'${functionId}':`)
      ? []
      : [`${test} is missing, or ${functionId} in ${CONTRACT}.`]),
    ...(rewritten?.function.functionId === functionId
      ? []
      : [`firebase.json lacks the rewrite of ${source} to ${functionId}.`]),
    ...(documented?.operationId === operationId
      ? []
      : [`public/openapi.json lacks ${operationId}: run npm run openapi.`]),
    ...(readme.includes(row) && readme.includes(`| \`${functionId}\` |`)
      ? []
      : [`README.md lacks the row of ${method} ${path}, ${functionId}, in its table.`]),
    ...(method === 'GET' || written.includes(`${method} ${path}`)
      ? []
      : [`test/data/collections.ts, for DATA.md, does not say what ${method} ${path} writes.`]),
  ];
}

/** The files that declare an endpoint. */
function endpointFiles(): { group: string; name: string }[] {
  return readdirSync('functions/src', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: group }) =>
      readdirSync(`functions/src/${group}`)
        .filter((file) =>
          readFileSync(`functions/src/${group}/${file}`, 'utf8').includes('= endpoint('),
        )
        .map((file) => ({ group, name: file.replace(/\.ts$/, '') })),
    );
}

test('every endpoint is complete', () => {
  const undeployed = endpointFiles()
    .filter(
      ({ group, name }) =>
        !deployedEndpoints.some((each) => each.group === group && each.name === name),
    )
    .map(({ group, name }) => `functions/src/index.ts lacks ${name} of ${group}/${name}.ts.`);
  const others = ['/api', '/api/**'];
  const sources = [
    ...deployedEndpoints.map(({ endpoint }) => sourceOf(endpoint.declaration.path)),
    ...others,
  ];
  const leftOver = hosting.rewrites
    .filter(({ source }) => !sources.includes(source))
    .map(
      ({ source }) =>
        `firebase.json has a rewrite of ${source}, which is not the path of an endpoint.`,
    );
  const last = hosting.rewrites.slice(-others.length).map(({ source }) => source);
  const order =
    last.join() === others.join() ? [] : ['firebase.json must end with /api and /api/**.'];

  expect([...undeployed, ...deployedEndpoints.flatMap(lackingOf), ...leftOver, ...order]).toEqual(
    [],
  );
  expect(deployedEndpoints.length).toBeGreaterThan(0);
});

test('no two endpoints have the same path and method', () => {
  const routes = deployedEndpoints.map(({ endpoint: { declaration } }) =>
    [declaration.method, declaration.path].join(' '),
  );

  expect(new Set(routes).size).toBe(routes.length);
});
