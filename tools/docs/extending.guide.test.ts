/**
 * Follows docs/extending.md in a copy of the repository, with a fourth collection that `npm run new` writes: these files are all
 * that the endpoints of new collections need.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runScript } from '../../test/deploy/commands.ts';
import { copyRepository } from '../../test/support/processes/copyRepository.ts';
import { applyGuide } from './applyGuide.ts';

/** The tests that depend on endpoints run in the copy, which takes many minutes on a busy machine. */
const TIMEOUT_MS = 30 * 60_000;
jest.setTimeout(TIMEOUT_MS);

const REVIEWS = 'functions/src/reviews/review.ts';
const CONSENTS = 'functions/src/consents/consent.ts';
const REQUESTS = 'functions/src/bookingRequests/bookingRequest.ts';

let folder: string;
let paths: string[];

beforeAll(async () => {
  folder = await copyRepository('guide');
  expect(await runNpm('run', 'new', '--', 'waitlists')).toBe('');
  const sections = [
    { heading: 'Add a collection', filesToCopy: 'examples/reviews' },
    { heading: 'Add a subcollection', filesToCopy: 'examples/consents' },
    { heading: 'Change several collections at once', filesToCopy: 'examples/bookingRequests' },
  ];
  paths = [];
  for (const section of sections) paths.push(...(await applyGuide(folder, section)));
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

test('the files of the guide, eight, nine and eight, pass the checks', async () => {
  expect(paths).toHaveLength(8 + 9 + 8);
  const sources = paths.filter((path) => path.endsWith('.ts'));
  const written = ['functions/src/waitlists', 'test/contract/endpoints/waitlists.ts'];
  expect(await runNpm('exec', '--', 'eslint', ...sources, ...written)).toBe('');
  expect(await runNpm('exec', '--', 'prettier', '--check', ...written)).toBe('');
  expect(await runNpm('run', 'typecheck')).toBe('');
  expect(await runNpm('run', 'check:generated')).toBe('');
});

test('with the files of the guide, the tests that depend on endpoints pass', async () => {
  // Tests of the packages, the local stack and added functions do not depend on the new collections.
  const folders = [
    'functions/build',
    'functions/service',
    'functions/src/',
    'demo/',
    'test/',
    'tools/data/findings',
    'tools/docs',
    'tools/generate',
  ];
  expect(await runNpm('run', 'test:in-process', '--', ...folders)).toBe('');
});

test('with the files of the guide, the contract passes under faults, and each example on the demo data', async () => {
  // The service itself has no endpoint that creates documents, so this is the only test of creation under faults.
  const files = ['test/contract/faults.process.test.ts', 'test/service/smoke.stack.test.ts'];
  const names = 'injected faults|on the demo data';
  expect(await runNpm('test', '--', ...files, '-t', names)).toBe('');
});

/** A bug in a model: a text of the file, and its replacement. */
interface Bug {
  readonly name: string;
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
}

test.each<Bug>([
  {
    name: 'an artist may remove the reviews of others',
    file: REVIEWS,
    right: "owner: 'clientId'",
    wrong: "owner: 'artistId'",
  },
  { name: '6 is a rating', file: REVIEWS, right: 'max(5)', wrong: 'max(6)' },
  { name: 'a new review lacks its time', file: REVIEWS, right: "['createdAt']", wrong: '[]' },
  {
    name: 'the oldest review comes first',
    file: REVIEWS,
    right: '  descending: true,\n',
    wrong: '',
  },
  {
    name: 'the rating is optional',
    file: REVIEWS,
    right: "describe('The rating.')",
    wrong: "describe('The rating.').optional()",
  },
  {
    name: 'a request has a field that the contract lacks',
    file: REVIEWS,
    right: 'rating })',
    wrong: "rating, note: z.string().optional().describe('x') })",
  },
  {
    name: 'the artist of a booking may not read its consents',
    file: CONSENTS,
    right: "['artistId', 'clientId'], callerId",
    wrong: "['clientId'], callerId",
  },
  {
    name: 'the artist of a booking may create a consent',
    file: CONSENTS,
    right: "bookingId, ['clientId'], callerId",
    wrong: "bookingId, ['artistId', 'clientId'], callerId",
  },
  {
    name: 'the client is not in the conversation of a booking request',
    file: REQUESTS,
    right: '[artistId, clientId]',
    wrong: '[artistId]',
  },
  {
    name: 'the client is notified of a booking request instead of the artist',
    file: REQUESTS,
    right: 'document: { artistId }',
    wrong: 'document: { artistId: clientId }',
  },
  {
    name: 'the list of booking requests ignores the first day',
    file: REQUESTS,
    right: '{ status, ...page }',
    wrong: '{ status, from: _from, ...page }',
  },
  {
    name: 'the client may edit a consent',
    file: CONSENTS,
    right: "ownedBy: 'artistId'",
    wrong: "ownedBy: 'clientId'",
  },
])('the contract rejects a service in which $name', async ({ file, right, wrong }) => {
  const model = join(folder, file);
  const code = await readFile(model, 'utf8');
  if (!code.includes(right)) throw new Error(`${file} does not have "${right}".`);
  await writeFile(model, code.replace(right, wrong));
  // All histories: fewer may miss a bug.
  jest.replaceProperty(process, 'env', { ...process.env, TEST_CASES: 'all' });
  try {
    const contract = ['test/contract/contract.test.ts', '-t', 'linearizable'];
    expect(await runNpm('run', 'test:in-process', '--', ...contract)).toContain(
      'The service differs from the contract.',
    );
  } finally {
    await writeFile(model, code);
  }
});
