/** The recipe of docs/extending.md works: the files that it names are all that four endpoints on a new collection take. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runScript } from '../rehearsal/commands.ts';
import { copyRepository } from '../../dev/repositoryCopy.ts';
import { followGuide } from './guide.ts';

/** All in-process tests run in the copy: many minutes on a busy machine. */
const LIMIT_MS = 30 * 60_000;
jest.setTimeout(LIMIT_MS);

let folder: string;
let paths: string[];

beforeAll(async () => {
  folder = await copyRepository('recipe');
  paths = await followGuide(folder, 'Add endpoints on a new collection');
  for (const script of ['generate', 'format']) expect(await failureOf(script)).toBe('');
});

afterAll(() => rm(folder, { recursive: true }));

/** What an npm script prints in the copy, if it fails. */
async function failureOf(script: string, ...args: string[]): Promise<string> {
  const { npm_execpath: npm } = process.env;
  if (npm === undefined) throw new Error('This test runs npm scripts: start it by npm run recipe.');
  const command = [npm, 'run', script, '--', ...args];
  const { status, output } = await runScript(folder, command, process.env, { limitMs: LIMIT_MS });
  return status === 0 ? '' : output;
}

test.each([
  ['check', []],
  // The packages and the local stack know nothing of reviews.
  ['test:in-process', ['functions/', 'demo/', 'test/', 'tools/']],
  // No endpoint of the service creates documents: only here are creations tried under faults.
  ['test', ['test/contract/faults.deployed.test.ts']],
])('with the nine files of the recipe, %s %j passes', async (script, args) => {
  expect(new Set(paths).size).toBe(9);
  expect(await failureOf(script, ...args)).toBe('');
});

test.each([
  ['an artist may edit what others wrote of them', "owner: 'clientId'", "owner: 'artistId'"],
  ['6 is a rating', 'max(5)', 'max(6)'],
  ['a new review lacks its time', "['createdAt']", '[]'],
  ['the oldest review comes first', '  descending: true,\n', ''],
])('the contract does not explain a service in which %s', async (_what, right, wrong) => {
  const model = join(folder, 'functions/src/reviews/review.ts');
  const code = await readFile(model, 'utf8');
  if (!code.includes(right)) throw new Error(`The guide's model does not have "${right}".`);
  await writeFile(model, code.replace(right, wrong));
  try {
    expect(await failureOf('test:in-process', 'test/contract/contract.test.ts')).toContain(
      'the contract says',
    );
  } finally {
    await writeFile(model, code);
  }
});
