/**
 * Checks that every endpoint has all parts that are written by hand: names each missing one and its file. If this test
 * fails, fix it first, because other tests may fail for the same reason. (What is generated, npm run generate:check checks.)
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import * as z from 'zod';
import { COLLECTIONS } from '../../dev/shared/collections.ts';
import { withoutWrappers } from '../../functions/src/fields.ts';
import { deployedEndpoints, type DeployedEndpoint } from '../../dev/shared/deployMap.ts';

const CONTRACT = 'test/contract/contract.ts';
const contract = readFileSync(CONTRACT, 'utf8');
const readme = readFileSync('README.md', 'utf8').replace(/ +/g, ' ');
const guide = readFileSync('docs/data.md', 'utf8');

/** The fields of a response's elements that docs/data.md lacks: in the collection that has most of them. */
function unnamedIn(response: z.core.$ZodType): string[] {
  const type = withoutWrappers(response);
  if (type instanceof z.ZodObject) return Object.values(type.shape).flatMap(unnamedIn);
  const element = type instanceof z.ZodArray ? withoutWrappers(type.element) : undefined;
  if (!(element instanceof z.ZodObject)) return [];
  const lacking = COLLECTIONS.map(({ schema }) =>
    Object.keys(element.shape).filter((field) => !(field in schema.shape)),
  );
  return lacking.sort((one, other) => one.length - other.length)[0] ?? [];
}

function fileOf({ group, name }: DeployedEndpoint): string {
  return `functions/src/${group}/${name}.ts`;
}

/** The missing parts of an endpoint, as sentences. */
function lackingOf(deployed: DeployedEndpoint): string[] {
  const { group, name, functionId, endpoint } = deployed;
  const { method, path, example, response } = endpoint.declaration;
  const file = fileOf(deployed);
  const test = `test/${group}/${name}.test.ts`;
  const isInReadme = [`| \`${method} ${path}\` |`, `| \`${functionId}\` |`].every((cell) =>
    readme.includes(cell),
  );
  const isTested = existsSync(test) || contract.includes(`'${functionId}':`);
  const unnamed = unnamedIn(response);
  const parts: readonly [isPresent: boolean, lack: string][] = [
    [existsSync(file), `${file} is missing: the deploy map has ${functionId}.`],
    [example !== undefined, `${file} lacks an example in its declaration.`],
    [isTested, `${test} is missing, or ${functionId} in ${CONTRACT}.`],
    [isInReadme, `README.md lacks the row of ${method} ${path}, ${functionId}, in its table.`],
    [
      method === 'GET' || guide.includes(`${method} ${path}\``),
      `docs/data.md does not say what ${method} ${path} writes.`,
    ],
    [
      method !== 'GET' || unnamed.length === 0,
      `tools/data/collections.ts, for docs/data.md, does not name what ${method} ${path} reads: ${unnamed.join(', ')}.`,
    ],
  ];
  return parts.filter(([isPresent]) => !isPresent).map(([, lack]) => lack);
}

test('every endpoint is complete', () => {
  const undeployed = globSync('functions/src/*/*.ts')
    .map((file) => file.replaceAll(sep, '/'))
    .filter((file) => readFileSync(file, 'utf8').includes('= endpoint('))
    .filter((file) => !deployedEndpoints.some((each) => fileOf(each) === file))
    .map((file) => `functions/src/index.ts lacks the endpoint of ${file}.`);

  const lacking = [...undeployed, ...deployedEndpoints.flatMap(lackingOf)];
  expect(lacking).toEqual([]);
  expect(deployedEndpoints.length).toBeGreaterThan(0);
});
