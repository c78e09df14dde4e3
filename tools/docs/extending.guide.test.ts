/** Follows docs/extending.md in a copy of the repository: its files are all that three endpoints on a new collection need. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runScript } from '../deployTest/commands.ts';
import { copyRepository } from '../../dev/repositoryCopy.ts';
import { applyGuide } from './applyGuide.ts';

/** All in-process tests run in the copy, which takes many minutes on a busy machine. */
const TIMEOUT_MS = 30 * 60_000;
jest.setTimeout(TIMEOUT_MS);

let folder: string;
let paths: string[];

beforeAll(async () => {
  folder = await copyRepository('guide');
  paths = await applyGuide(folder, 'Add a collection');
  expect(await runNpm('run', 'generate')).toBe('');
  expect(await runNpm('exec', '--', 'prettier', '--write', ...paths)).toBe('');
});

afterAll(() => rm(folder, { recursive: true }));

/** Runs an npm command in the copy. Returns its output if it fails, otherwise an empty text. */
async function runNpm(...args: readonly string[]): Promise<string> {
  const { npm_execpath: npm } = process.env;
  if (npm === undefined) throw new Error('This test runs npm: start it by npm run test:guide.');
  const run = await runScript(folder, [npm, ...args], process.env, { timeoutMs: TIMEOUT_MS });
  return run.status === 0 ? '' : run.output;
}

test('the nine files of the guide pass the checks', async () => {
  expect(new Set(paths).size).toBe(9);
  const sources = paths.filter((path) => path.endsWith('.ts'));
  expect(await runNpm('exec', '--', 'eslint', ...sources)).toBe('');
  expect(await runNpm('run', 'typecheck')).toBe('');
  expect(await runNpm('run', 'generate:check')).toBe('');
});

test.each([
  // Tests of the packages and the local stack do not depend on the new collection.
  [
    'test:in-process',
    ['functions/', 'demo/', 'test/', 'tools/data/findings', 'tools/docs', 'tools/generate'],
  ],
  // The service itself has no endpoint that creates documents, so this is the only test of creation under faults.
  ['test', ['test/contract/faults.process.test.ts']],
])('with the files of the guide, %s %j passes', async (script, args) => {
  expect(await runNpm('run', script, '--', ...args)).toBe('');
});

test.each([
  ['an artist may remove what others wrote of them', "owner: 'clientId'", "owner: 'artistId'"],
  ['6 is a rating', 'max(5)', 'max(6)'],
  ['a new review lacks its time', "['createdAt']", '[]'],
  ['the oldest review comes first', '  descending: true,\n', ''],
  ['the rating is optional', "describe('The rating.')", "describe('The rating.').optional()"],
  [
    'the contract lacks a field',
    'rating })',
    "rating, note: z.string().optional().describe('x') })",
  ],
])('the contract rejects a service in which %s', async (_what, right, wrong) => {
  const model = join(folder, 'functions/src/reviews/review.ts');
  const code = await readFile(model, 'utf8');
  if (!code.includes(right)) throw new Error(`The guide's model does not have "${right}".`);
  await writeFile(model, code.replace(right, wrong));
  try {
    const contract = ['test/contract/contract.test.ts', '-t', 'linearizable'];
    expect(await runNpm('run', 'test:in-process', '--', ...contract)).toContain(
      'The service differs from the contract.',
    );
  } finally {
    await writeFile(model, code);
  }
});
